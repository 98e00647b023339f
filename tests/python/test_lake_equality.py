"""Every mart of a lake that an engine built, beside one warehouse of the same collections."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb
import pytest
from attrs import evolve

from archive import TREC2
from built_collections import load_together
from collection_files import write_files
from equal_marts import DATABASES, connected, differing
from odd_collection import write
from page import write_collection
from poolhouse.building.build import build
from poolhouse.lake.publishing import build_lake
from poolhouse.lake.reading import LakeWarehouse
from poolhouse.lake.request import LakeRequest
from poolhouse.loading.request import LoadRequest
from poolhouse.warehouse.file import Warehouse
from random_collections import Generator
from spark_servers import Cluster, cluster, sail

__all__ = ["cluster", "sail"]

pytestmark = pytest.mark.heavy

# One collection of each oddity (random_collections.Generator): nothing or no run pooled, one
# organization, depths by run, deep pools, long runs, a topic with its only run, no depth declared.
# What rows must hold is test_reference's: here, more of them would show the same once more.
NUMBERS = (0, 1, 2, 3, 4, 5, 6, 10)


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
    """Connect to both."""
    with connected() as connection:
        Warehouse(warehouse).attach(connection, DATABASES[0])
        lake.attach(connection, DATABASES[1])
        yield connection


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
