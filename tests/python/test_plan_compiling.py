"""Test the plan of a small project that dbt compiles, and the refusals of odd models."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest

from poolhouse.building.plan import Kind, Node, Rule, compiling
from poolhouse.building.plan.compiling import compile_plan
from poolhouse.building.plan.seeds import seed_query
from poolhouse.building.plan.trying import with_columns
from poolhouse.building.project import project_folder
from poolhouse.errors import PlanError

# dbt is imported, reads a project and loads its seeds.
pytestmark = pytest.mark.heavy

PROJECT = """\
name: made_up
version: 0.1.0
config-version: 2
profile: made_up
flags: {send_anonymous_usage_stats: false}
"""
PROFILES = """\
made_up:
  target: file
  outputs:
    file: {type: duckdb, path: "FOLDER/made_up.duckdb", schema: main, threads: 1}
"""

TABLE = "materialized='table'"
MODELS = {
    "commented": f"{{{{ config({TABLE}) }}}} select 1 as n -- it's the end",
    "described": "select '100 %' as \"it's\", ';' as n",
    "inlined": "{{ config(materialized='ephemeral') }} select * from {{ ref('commented') }}",
    "reader": "select * from {{ ref('inlined') }}, {{ source('raw', 'runs') }}, {{ ref('typed') }}",
    "asked": "{{ config(materialized='table_macro', arguments=['n', 'm := 1']) }} select n + m",
    "numbered": (
        f"{{{{ config({TABLE}, meta={{'rule': 'numbering', 'id': 'a', 'key': 'b'}}) }}}}"
        " select 1 as a, 1 as b"
    ),
    "hooked": (
        f"{{{{ config({TABLE}, pre_hook=['set a = 1', 'set b'], post_hook='reset a') }}}}"
        " select 1 as n"
    ),
}

# Models that are refused, and the messages about them.
ODD_MODELS = {
    "odd_kind": (
        "{{ config(materialized='incremental') }} select 1 as n",
        "materialized is 'incremental': it must be one of table, seed, view, table_macro, "
        "own_macro, test",
    ),
    "odd_rule": (
        f"{{{{ config({TABLE}, meta={{'rule': 'by_nothing'}}) }}}} select 1 as n",
        "rule is 'by_nothing': it must be one of by_collection, by_run, ",
    ),
    "odd_numbers": (
        f"{{{{ config({TABLE}, meta={{'rule': 'numbering', 'id': 'n'}}) }}}} select 1 as n",
        "its meta lacks the columns `id` and `key`",
    ),
    "odd_hook": (
        f"{{{{ config({TABLE}, pre_hook='delete from {{{{ this }}}}') }}}} select 1 as n",
        "a hook must be plain SQL, without Jinja",
    ),
    "odd_comment": (
        f"{{{{ config({TABLE}, post_hook='{{# nothing #}} reset a') }}}} select 1 as n",
        "a hook must be plain SQL, without Jinja",
    ),
}
DESCRIPTIONS = """\
version: 2
sources:
  - name: raw
    schema: raw
    tables: [{name: runs}]
models:
  - name: described
    description: it's "described"
    columns:
      - {name: "it's", description: of 100 %}
      - {name: n, data_tests: [not_null]}
seeds:
  - name: typed
    config: {column_types: {told: integer, told_text: varchar}}
  - name: by_semicolon
    config: {delimiter: ";"}
"""

# Numbers with and without decimals, dates, flags, quotes, line ends, and values that only some
# readers take as null.
SEEDS = {
    "typed": """\
n,x,fraction,day,moment,flag,word,nothing,told,told_text,padded
1,1.5,2,2020-01-31,2020-01-31 10:00:00,true,it's,,007,007, a
2,1e3,0.1,,,False,"a ""quoted"", one",,8,8,b
,,,,,,null,"",,,
-3,-0.25,3.0,2021-12-01,2021-12-01 00:00:01,TRUE,"line
end",,-1,n/a,NULL
""",
    "by_semicolon": "n;word\n1;x,y\n",
    "empty": "n,word\n",
}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made_up")
    texts = {
        "dbt_project.yml": PROJECT,
        "profiles.yml": PROFILES.replace("FOLDER", str(folder)),
        "models/models.yml": DESCRIPTIONS,
        # The names of relations have no database: the project's macro does this, and not dbt.
        "macros/names.sql": (project_folder() / "macros" / "project" / "names.sql").read_text(),
        "analyses/odd_analysis.sql": "select 1 as n",
        "tests/holds.sql": "select * from {{ ref('reader') }} where n > 1 -- never",
        **{f"models/{name}.sql": sql for name, sql in MODELS.items()},
        **{f"models/{name}.sql": sql for name, (sql, _) in ODD_MODELS.items()},
        **{f"seeds/{name}.csv": rows for name, rows in SEEDS.items()},
    }
    for name, text in texts.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    return folder


@pytest.fixture(scope="module")
def compiled(project: Path) -> dict[str, tuple[Any, Any]]:
    """Compile all models, sound and odd: dbt accepts models that the plan refuses."""
    manifest, nodes = compiling._compiled(project, project / "scratch", {})
    return {node.name: (node, manifest) for node in nodes}


@pytest.fixture(scope="module")
def nodes(compiled: dict[str, tuple[Any, Any]], project: Path) -> dict[str, Node]:
    """Return the nodes of the sound models, with their types."""
    sound = [
        compiling._node(node, manifest, project)
        for name, (node, manifest) in compiled.items()
        if name not in ODD_MODELS
    ]
    return {node.name: node for node in with_columns(compiling._in_order(sound), {})}


def test_every_model_seed_and_test_is_a_node(nodes: dict[str, Node]) -> None:
    kinds = {name: node.kind for name, node in nodes.items()}
    assert kinds == {
        **dict.fromkeys(["commented", "numbered", "hooked", *SEEDS], Kind.TABLE),
        **dict.fromkeys(["described", "reader"], Kind.VIEW),
        "asked": Kind.MACRO,
        **dict.fromkeys(["holds", "not_null_described_n"], Kind.TEST),
    }
    assert nodes["numbered"].rule is Rule.NUMBERING
    assert nodes["numbered"].numbering == ("a", "b")
    assert nodes["hooked"].before == ("set a = 1", "set b")
    assert nodes["hooked"].after == ("reset a",)
    assert nodes["asked"].arguments == ("n", "m := 1")


def test_what_is_inlined_is_read(nodes: dict[str, Node]) -> None:
    """A node comes after the nodes that it reads; a source is no node."""
    assert set(nodes["reader"].reads) == {"commented", "raw.runs", "typed"}
    names = list(nodes)
    assert names.index("commented") < names.index("reader") < names.index("holds")


def test_descriptions_arrive(nodes: dict[str, Node]) -> None:
    described = nodes["described"]
    assert described.comment == 'it\'s "described"'
    assert [(column.name, column.comment) for column in described.columns] == [
        ("it's", "of 100 %"),
        ("n", ""),
    ]


@pytest.mark.parametrize("name", ODD_MODELS)
def test_odd_models_are_refused(
    compiled: dict[str, tuple[Any, Any]], project: Path, name: str
) -> None:
    with pytest.raises(PlanError) as raised:
        compiling._node(*compiled[name], project)
    assert f"models/{name}.sql: {ODD_MODELS[name][1]}" in str(raised.value)


def test_two_nodes_of_one_name_are_refused(nodes: dict[str, Node]) -> None:
    """For dbt alone, a test may have the name of a model."""
    twice = [nodes["reader"], Node("reader", Kind.TEST, "", "select 1", ())]
    with pytest.raises(PlanError, match="two models or tests are called reader"):
        list(compiling._in_order(twice))


@pytest.fixture(scope="module")
def seeded(project: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """Let dbt load the seeds itself."""
    from dbt.adapters.duckdb.connections import DuckDBConnectionManager  # noqa: PLC0415

    scratch = str(project / "seeding")
    compiling._invoke(
        "seed",
        [
            *("--project-dir", str(project), "--profiles-dir", str(project)),
            *("--target-path", scratch, "--log-path", scratch),
        ],
    )
    DuckDBConnectionManager.close_all_connections()  # type: ignore[no-untyped-call]
    with duckdb.connect(project / "made_up.duckdb") as connection:
        yield connection


@pytest.mark.parametrize("name", SEEDS)
def test_seeds_are_as_dbt_loads_them(
    nodes: dict[str, Node], seeded: duckdb.DuckDBPyConnection, name: str
) -> None:
    ours = seeded.execute(nodes[name].sql)
    columns = [column[:2] for column in ours.description or ()]
    rows = ours.fetchall()
    theirs = seeded.execute(f"from {name}")
    assert columns == [column[:2] for column in theirs.description or ()]
    assert rows == theirs.fetchall()


def test_seeds_have_the_types_that_are_told_or_seen(nodes: dict[str, Node]) -> None:
    types = {column.name: column.type for column in nodes["typed"].columns}
    assert types == {
        **dict.fromkeys(["n", "nothing", "told"], "INTEGER"),
        **dict.fromkeys(["x", "fraction"], "DOUBLE"),
        **dict.fromkeys(["word", "told_text", "padded"], "VARCHAR"),
        **{"day": "DATE", "moment": "TIMESTAMP", "flag": "BOOLEAN"},
    }


def test_a_value_that_is_not_of_its_type_is_refused(
    compiled: dict[str, tuple[Any, Any]], tmp_path: Path
) -> None:
    """To dbt, 1,000 is a number, and to the engine it is not."""
    seed, _ = compiled["by_semicolon"]
    (tmp_path / "seeds").mkdir()
    (tmp_path / "seeds" / "by_semicolon.csv").write_text('n;word\n"1,000";x\n')
    with pytest.raises(PlanError, match=r"seeds/by_semicolon.csv: .*Line: 2"):
        seed_query(seed, tmp_path)


def test_what_dbt_refuses_is_one_line(project: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken"
    (broken / "models").mkdir(parents=True)
    for name in ("dbt_project.yml", "profiles.yml"):
        (broken / name).write_text((project / name).read_text())
    (broken / "models" / "broken.sql").write_text("select * from {{ ref('no_such') }}")
    with pytest.raises(PlanError, match=r"broken.*no_such") as raised:
        compile_plan(broken, tmp_path / "scratch", {})
    assert "\n" not in str(raised.value)
