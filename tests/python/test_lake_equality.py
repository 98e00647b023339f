"""Every mart of a lake that an engine built, beside one warehouse of the same collections."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import permutations
from pathlib import Path

import duckdb
import polars as pl
import pytest
from attrs import evolve
from polars.testing import assert_frame_equal

from archive import TREC2
from built_collections import load_together
from collection_files import write_files
from odd_collection import write
from page import write_collection
from poolhouse.building.build import build
from poolhouse.lake.publishing import build_lake
from poolhouse.lake.reading import LakeWarehouse
from poolhouse.lake.request import LakeRequest
from poolhouse.loading.request import LoadRequest
from poolhouse.warehouse.file import Warehouse
from random_collections import Generator
from rounding import DECIMALS, rounded
from spark_servers import Cluster, cluster, sail

__all__ = ["cluster", "sail"]

pytestmark = pytest.mark.heavy

# One collection of each oddity (random_collections.Generator): nothing or no run pooled, one
# organization, depths by run, deep pools, long runs, a topic with its only run, no depth declared.
# What rows must hold is test_reference's: here, more of them would show the same once more.
NUMBERS = (0, 1, 2, 3, 4, 5, 6, 10)

# These rows say when and from where files were loaded.
OF_LOADS = {"audit_load_history", "audit_verdict_changes"}

# Where a value lies where rounding turns, the two rows that differ are compared with each other.
ROUNDED = {"abs_tol": 1.5 * 10**-DECIMALS, "rel_tol": 10**-DECIMALS}

# A share of a residual that is all but zero has no digits that mean anything.
WITHOUT_DIGITS = "in_percent"
MEANS_NOTHING = "measure = 'RBPResidual(p=0.8)'"

DATABASES = ("one", "lake")

MARTS = """
select
    schema_name || '.' || table_name as mart,
    list(column_name order by column_index),
    list(data_type order by column_index)
from duckdb_columns()
where
    database_name = 'one'
    and schema_name in ('main', 'audits')
    and table_name in (select view_name from duckdb_views() where database_name = 'one')
    -- a lake without --raw has no lines of runs to compute it from
    and table_name <> 'fct_quality_figures'
group by all
order by all
"""


@pytest.fixture(params=["sail", pytest.param("cluster", marks=pytest.mark.spark)])
def engine(request: pytest.FixtureRequest) -> str:
    """Return the address of Sail, and of Spark where the marker asks for it."""
    found: str | Cluster = request.getfixturevalue(request.param)
    return found if isinstance(found, str) else found.connect


def build_on(engine: str, lake: Path, requests: Iterable[LoadRequest]) -> LakeWarehouse:
    requests = list(requests)
    report = build_lake(LakeRequest(str(lake), requests, spark=engine))
    assert not report.failed
    assert sorted(report.built) == sorted(each.collection for each in requests)
    return LakeWarehouse.at(str(lake))


@contextmanager
def side_by_side(warehouse: Path, lake: LakeWarehouse) -> Iterator[duckdb.DuckDBPyConnection]:
    """Connect to both: the databases `one` and `lake`."""
    with duckdb.connect() as connection:
        connection.execute("set memory_limit = '6GB'")
        Warehouse(warehouse).attach(connection, "one")
        lake.attach(connection, "lake")
        yield connection


def differing(connection: duckdb.DuckDBPyConnection, collection: str = "") -> dict[str, str]:
    """Return the difference of each mart that differs, of one collection or of all."""
    found, n_rows = {}, 0
    marts = connection.execute(MARTS).fetchall()
    assert len(marts) > 40
    for mart, names, types in marts:
        if mart.partition(".")[2] in OF_LOADS:
            continue
        columns = dict(zip(names, types, strict=True))
        only = f" where collection_id = '{collection}'" if "collection_id" in columns else ""
        one, lake = differing_rows(connection, mart + only * bool(collection), columns)
        try:
            assert_frame_equal(one, lake, **ROUNDED)
        except AssertionError as error:
            found[mart] = str(error)
        [(n_of_mart,)] = connection.execute(f"select count(*) from one.{mart}").fetchall()
        n_rows += n_of_mart
    assert n_rows > 10_000
    return found


def differing_rows(
    connection: duckdb.DuckDBPyConnection, rows: str, columns: dict[str, str]
) -> Iterator[pl.DataFrame]:
    """Yield the rounded rows that only one of the databases has, ordered by what is no float."""

    def selected(name: str) -> str:
        value = rounded(f'"{name}"', columns[name])
        if columns[name] == "DOUBLE" and "measure" in columns and WITHOUT_DIGITS in name:
            value = f"if({MEANS_NOTHING}, null, {value})"
        return f'{value} as "{name}"'

    # The columns that are no floats are the first.
    ordered = sorted(columns, key=lambda name: columns[name] == "DOUBLE")
    row = ", ".join(map(selected, ordered))
    # A mart that is computed again may have other last digits.
    for database in DATABASES:
        connection.execute(
            f"create or replace temp table of_{database} as select {row} from {database}.{rows}"
        )
    for here, there in permutations(DATABASES):
        yield connection.sql(f"from of_{here} except all from of_{there} order by all").pl()


def test_hostile_and_random_collections(engine: str, tmp_path: Path) -> None:
    """Names with quotes and slashes, a topic 0101, no judgements, one topic, random ones."""
    hostile = [
        evolve(write_collection(tmp_path / "quotes"), collection='it\'s "q" <b>50%</b>/.. ö'),
        evolve(write_collection(tmp_path / "number"), collection="0101"),
        evolve(write_collection(tmp_path / "empty"), collection="empty", qrels=None, unjudged=True),
        write(tmp_path / "odd"),
    ]
    for file in hostile[1].paths:
        file.write_text(file.read_text().replace("1 ", "0101 ", 1))
    requests = hostile + [
        of_track(write_files(Generator(number).collection(), tmp_path / str(number)), number)
        for number in NUMBERS
    ]
    warehouse = Warehouse(tmp_path / "poolhouse.duckdb")
    load_together(warehouse, requests)
    build(warehouse)
    lake = build_on(engine, tmp_path / "lake", requests)
    with side_by_side(warehouse.path, lake) as connection:
        assert differing(connection) == {}


def of_track(request: LoadRequest, number: int) -> LoadRequest:
    """Declare a track, a task and a year: some marts compare a collection with the year before."""
    track, year = ("web", "news")[number % 2], 2000 + number
    return evolve(request, track=track, year=year, task="ad-hoc")


@pytest.mark.archive
def test_an_archive(engine: str, marts: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    """Files of a real size, with rejected lines; one collection says as much as all of them."""
    [(warehouse,)] = marts.execute(
        "select path from duckdb_databases() where database_name = current_database()"
    ).fetchall()
    lake = build_on(engine, tmp_path / "lake", [TREC2.request()])
    with side_by_side(Path(warehouse), lake) as connection:
        assert differing(connection, TREC2.name) == {}
