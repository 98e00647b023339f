"""Test steps (macros/project/steps.sql): a new estimator by the recipe of CONTRIBUTING."""

from shutil import copy, copytree

import duckdb
import polars as pl
import pytest
from attrs import evolve

from page import write_collection
from plans import build_by
from poolhouse.building.build import build
from poolhouse.building.plan import Kind, Plan, storage
from poolhouse.building.plan.compiling import compile_plan
from poolhouse.building.project import project_folder
from poolhouse.experiments.parts import prepare
from poolhouse.loading.load import load_collection
from poolhouse.loading.run_files import run_files
from poolhouse.scoring.estimating.adjusting import adjust
from poolhouse.warehouse.file import Warehouse

# dbt compiles a copy of the project.
pytestmark = pytest.mark.heavy

FOLDER = "models/intermediate/estimators/doubled"
MODEL = """\
with

{{ imports('int_adjustments_webber_park_systems') }},

doubled as (

    select
        * replace (
            'doubled' as estimator,
            2 * adjustment as adjustment
        )
    from adjustments_webber_park_systems
    where estimator = 'webber_park_systems'

)

select * from doubled
"""
SEED = "11,doubled,Adds twice as much,pooled runs,true,false,true,a joke\n"
ADJUSTMENTS = "models/intermediate/adjustments/int_adjustments.sql"
LAST = "    'int_adjustments_filled',\n"
PARSED = "target/partial_parse.msgpack"


@pytest.fixture(scope="module")
def plan(tmp_path_factory: pytest.TempPathFactory) -> Plan:
    """Add an estimator to a copy of the project, as CONTRIBUTING says."""
    project = tmp_path_factory.mktemp("with_estimator")
    for name in ("models", "macros", "seeds", "tests/generic", "tests/singular", "analyses"):
        copytree(project_folder() / name, project / name)
    for name in ("dbt_project.yml", "profiles.yml"):
        copy(project_folder() / name, project)

    (project / FOLDER).mkdir()
    (project / FOLDER / "int_adjustments_doubled.sql").write_text(MODEL)
    with (project / "seeds/estimators.csv").open("a") as seed:
        seed.write(SEED)
    file = project / ADJUSTMENTS
    text = file.read_text(encoding="utf-8")
    assert text.count(LAST) == 1
    file.write_text(text.replace(LAST, f"{LAST}    'int_adjustments_doubled',\n"))

    scratch = project / "scratch"
    # dbt parses only what differs from the checkout, where that is parsed already.
    if (parsed := storage._parsed() / PARSED).exists():
        (scratch / PARSED).parent.mkdir(parents=True)
        copy(parsed, scratch / PARSED)
    return compile_plan(project, scratch, {})


@pytest.fixture(scope="module")
def warehouse(plan: Plan, tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    folder = tmp_path_factory.mktemp("estimated")
    warehouse = Warehouse(folder / "poolhouse.duckdb")
    page = write_collection(folder / "page")
    # A run that was not pooled: its documents are not in the qrels.
    outside = folder / "page/runs/c1"
    outside.write_text("1 Q0 d5 1 2 c1\n1 Q0 d6 2 1 c1\n")
    load_collection(warehouse, evolve(page, runs=run_files([outside.parent])))
    with pytest.MonkeyPatch.context() as patch:
        build_by(plan, patch)
        build(warehouse)
    return warehouse


def numbers(connection: duckdb.DuckDBPyConnection, rows: str) -> dict[str, int]:
    """Return the number of rows of each estimator."""
    query = f"select estimator, count(*) from {rows} group by all"
    return dict(connection.execute(query).fetchall())


def test_a_new_estimator_has_the_rows_of_another_one_in_every_relation(
    plan: Plan, warehouse: Warehouse
) -> None:
    relations = [
        node.relation
        for node in plan.relations
        if node.kind in {Kind.TABLE, Kind.VIEW}
        and "estimator" in {column.name for column in node.columns}
    ]
    compared = set()
    outside = "intermediate.int_adjustments anti join intermediate.int_pooled_runs using (run_key)"
    with warehouse.read() as connection:
        of_outside = numbers(connection, outside)
        assert of_outside["doubled"] == of_outside["webber_park_systems"] > 0
        for relation in relations:
            found = numbers(connection, relation)
            # The model of the one has only its rows, and published figures are of known estimators.
            if not relation.startswith("seeds.published") and len(found) > 2:
                assert found.get("doubled") == found.get("webber_park_systems"), relation
                compared.add(relation)
    assert {
        "main.dim_estimators",
        "main.fct_adjusted_scores",
        "main.fct_estimator_errors",
        "intermediate.int_adjustments",
    } <= compared


def test_it_is_in_the_estimates_of_samples(warehouse: Warehouse) -> None:
    with warehouse.read() as connection:
        prepare(connection, "page", 2)
        connection.execute(
            """
            create temp table drawn as
            select
                1 as sample,
                run_key,
                if(run_id = 'a1', 'unpooled', 'pooled') as role
            from intermediate.int_runs
            """
        )
        found = numbers(connection, "sampled_estimates('page', 'drawn', 'rankings', 2)")
    assert found["doubled"] == found["webber_park_systems"] > 0


def test_a_new_run_has_it_once(
    plan: Plan, warehouse: Warehouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A step that read stored rows would list the estimates of every pooled run."""
    build_by(plan, monkeypatch)
    run = pl.DataFrame({"query": "1", "docno": ["d5", "d1"], "score": [2.0, 1.0]})
    scores = adjust(warehouse, "page", run).scores
    key = ["measure", "unjudged"]
    assert scores.group_by(*key, "estimator").len()["len"].unique().to_list() == [1]
    of_one = scores.filter(estimator="webber_park_systems").select(*key, once="adjustment")
    of_other = scores.filter(estimator="doubled").select(*key, twice="adjustment")
    both = of_one.join(of_other, on=key, validate="1:1")
    assert both.height == of_one.height > 0
    assert both["twice"].to_list() == pytest.approx([2 * each for each in both["once"]])
