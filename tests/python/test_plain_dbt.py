"""Compare dbt's own build of all collections with the runner's builds after single changes.

The build runs dbt's own tests, too: macros on VALUES, and models on rows worked by hand.
"""

import re
from collections import Counter
from dataclasses import replace
from pathlib import Path
from shutil import copyfile
from typing import Any, NamedTuple

import pytest
from attrs import evolve

from built_collections import load_together
from collection_files import write_files
from natural_keys import Tables, tables_of
from plain_dbt import run_dbt
from poolhouse.building.build import build
from poolhouse.building.project import project_folder
from poolhouse.loading.removal import remove
from poolhouse.loading.request import LoadRequest
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.queries import run_query
from random_collections import Generator
from reference import Collection

# Runs are pooled by declaration and by inference, with and without gaps, in every pooling order.
NUMBERS = (0, 1, 2, 3, 6, 9, 13, 25)
SCHEMAS = ("seeds", "staging", "intermediate", "main")

WORDS = """
    -- dbt gives a column without a description an empty one
    select schema_name, table_name, column_name, data_type, nullif(comment, '')
    from duckdb_columns()
    where database_name = current_database() and not internal
    union all
    select schema_name, view_name, null, 'view', comment from duckdb_views() where not internal
    union all
    select schema_name, table_name, null, 'table', comment from duckdb_tables() where not internal
    union all
    select schema_name, function_name, null, parameters::varchar, comment
    from duckdb_functions() where function_type = 'table_macro' and not internal
    order by all
"""


def changed_files(folder: Path, collection: Collection, runs: dict[str, Any]) -> LoadRequest:
    return write_files(replace(collection, runs=runs), folder)


@pytest.fixture(scope="module")
def by_runner(tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    """Build collections, some together, and some after changes of every kind."""
    folder = tmp_path_factory.mktemp("plain")
    warehouse = Warehouse(folder / "poolhouse.duckdb")
    collections = [Generator(number).collection() for number in NUMBERS]
    first = [
        changed_files(folder / f"{each.name}-1", each, dict(list(each.runs.items())[1:]))
        for each in collections
    ]
    gone = write_files(replace(collections[0], name="gone"), folder / "gone")
    # Two collections are not judged; one of them will be.
    judged_late = write_files(replace(collections[1], name="judged late"), folder / "late")
    never_judged = write_files(replace(collections[2], name="never judged"), folder / "never")
    unjudged = [
        evolve(request, runs=request.runs[1:], qrels=None, unjudged=True)
        for request in (judged_late, never_judged)
    ]
    load_together(warehouse, [*first, gone, *unjudged])
    build(warehouse)
    # All collections but the last two get a run. In one of these, a run is changed; in one, a run
    # is removed.
    whole = [write_files(each, folder / f"{each.name}-2") for each in collections[:-2]]
    changed, shorter = collections[-2:]
    last = list(changed.runs)[-1]
    halved = changed_files(folder / "changed", changed, {last: changed.runs[last][::2]})
    load_together(warehouse, [*whole, halved, evolve(never_judged, qrels=None)])
    remove(warehouse, shorter.name, [list(shorter.runs)[-1]])
    remove(warehouse, "gone")
    build(warehouse)
    # The judgements change.
    fewer = replace(collections[3], qrels=collections[3].qrels[::2])
    load_together(warehouse, [write_files(fewer, folder / "fewer"), judged_late])
    build(warehouse)
    return warehouse


class ByDbt(NamedTuple):
    """A warehouse that dbt built, and what dbt said."""

    warehouse: Warehouse
    output: str


@pytest.fixture(scope="module")
def by_dbt(by_runner: Warehouse) -> ByDbt:
    """Let dbt rebuild every relation of a copy, for all collections together, with every test.

    Unit tests ask a built warehouse for the columns of the models that they replace.
    """
    copy = by_runner.path.with_name("plain.duckdb")
    warehouse = Warehouse(Path(copyfile(by_runner.path, copy)))
    done = run_dbt(warehouse, "build")
    assert done.returncode == 0, done.stdout
    return ByDbt(warehouse, done.stdout)


def different(one: Tables, other: Tables) -> dict[str, list[str]]:
    """Return the relations with rows that the other warehouse lacks, and some of these rows."""
    more = {
        name: Counter(map(repr, rows)) - Counter(map(repr, other.get(name, ())))
        for name, rows in one.items()
        if rows != other.get(name)
    }
    return {name: list(rows)[:3] for name, rows in more.items() if rows}


@pytest.mark.heavy
def test_every_relation_has_the_same_rows(by_runner: Warehouse, by_dbt: ByDbt) -> None:
    ours, theirs = (tables_of(each, SCHEMAS, ()) for each in (by_runner, by_dbt.warehouse))
    assert len(ours) > 100
    assert {name for name, rows in ours.items() if rows} > {"main.fct_adjusted_scores"}
    assert different(ours, theirs) == {}
    assert different(theirs, ours) == {}


@pytest.mark.heavy
def test_every_relation_is_described_alike(by_runner: Warehouse, by_dbt: ByDbt) -> None:
    ours, theirs = (run_query(each, WORDS).rows for each in (by_runner, by_dbt.warehouse))
    assert ours == theirs


@pytest.mark.heavy
def test_macros_and_models(by_dbt: ByDbt) -> None:
    """Every test is run, and passes; only exposures are no operation."""
    words = by_dbt.output.rpartition("Done. ")[2].split()
    totals = {name: int(n) for name, _, n in (each.partition("=") for each in words) if n}
    assert totals["PASS"] + totals["NO-OP"] == totals["TOTAL"]
    of_macros = (project_folder() / "tests" / "macros").glob("*.sql")
    assert [file for file in of_macros if f" PASS {file.stem} " not in by_dbt.output] == []
    assert re.search(r" PASS \w+::\w+ ", by_dbt.output)  # a unit test is MODEL::NAME
