"""Every mart of a lake that Sail built, beside one warehouse of the same collections."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import duckdb
import pytest

from archive import TREC2, TREC8, TREC_COVID
from built_collections import load_together
from collection_files import write_files
from odd_collection import write
from page import write_collection
from poolhouse.building.build import build
from poolhouse.lake.publishing import LakeRequest, build_lake
from poolhouse.lake.reading import LakeWarehouse
from poolhouse.loading.load import LoadRequest
from poolhouse.warehouse.file import Warehouse
from random_collections import Generator
from spark_servers import sail

__all__ = ["sail"]

pytestmark = pytest.mark.heavy

N_RANDOM = 40

# These rows say when and from where files were loaded.
OF_LOADS = {"audit_load_history", "audit_verdict_changes"}

# Sums of floats depend on the order of addition. So values are rounded; a value that lies where
# one rounding turns does not lie where the other one does.
SHIFTS = (0.0, 3e-10)

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
group by all
order by all
"""


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


def differing(connection: duckdb.DuckDBPyConnection) -> dict[str, int]:
    """Return the number of rows of each mart that only one of them has, where there are any."""
    found, n_rows = {}, 0
    marts = connection.execute(MARTS).fetchall()
    assert len(marts) > 40
    for mart, names, types in marts:
        if mart.partition(".")[2] in OF_LOADS:
            continue
        for shift in SHIFTS:
            columns = ", ".join(
                f'round("{name}" + {shift}, 9) + 0.0 as "{name}"'
                if type_ == "DOUBLE"
                else f'"{name}"'
                for name, type_ in zip(names, types, strict=True)
            )
            one, other = (f"select {columns} from {each}.{mart}" for each in ("one", "lake"))
            [(n_in_one, n_missing, n_more)] = connection.execute(
                f"select (select count(*) from ({one})), "
                f"(select count(*) from ({one} except all {other})), "
                f"(select count(*) from ({other} except all {one}))"
            ).fetchall()
            if n_missing + n_more == 0:
                break
        else:
            found[mart] = n_missing + n_more
        n_rows += n_in_one
    assert n_rows > 10_000
    return found


def test_hostile_and_random_collections(sail: str, tmp_path: Path) -> None:
    """Names with quotes and slashes, a topic 0101, no judgements, one topic, forty random ones."""
    hostile = [
        replace(write_collection(tmp_path / "quotes"), collection='it\'s "q" <b>50%</b>/.. ö'),
        replace(write_collection(tmp_path / "number"), collection="0101"),
        replace(
            write_collection(tmp_path / "empty"), collection="empty", qrels=None, is_unjudged=True
        ),
        write(tmp_path / "odd"),
    ]
    for file in (*hostile[1].runs, hostile[1].qrels):
        assert file
        file.write_text(file.read_text().replace("1 ", "0101 ", 1))
    requests = hostile + [
        write_files(Generator(number).collection(), tmp_path / str(number))
        for number in range(N_RANDOM)
    ]
    warehouse = Warehouse(tmp_path / "poolhouse.duckdb")
    load_together(warehouse, requests)
    build(warehouse)
    lake = build_on(sail, tmp_path / "lake", requests)
    with side_by_side(warehouse.path, lake) as connection:
        assert differing(connection) == {}


@pytest.mark.archive
def test_archives(sail: str, marts: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    [(warehouse,)] = marts.execute(
        "select path from duckdb_databases() where database_name = current_database()"
    ).fetchall()
    requests = [each.request() for each in (TREC2, TREC8, TREC_COVID)]
    lake = build_on(sail, tmp_path / "lake", requests)
    with side_by_side(Path(warehouse), lake) as connection:
        assert differing(connection) == {}
