"""The history of checks: recording results, and reading the last ones of a collection."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from pathlib import Path
from typing import Any

import duckdb
import polars as pl

from poolhouse.errors import PoolhouseError
from poolhouse.expectations.results import Result, Results
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.frame_queries import query_frame
from poolhouse.warehouse.frames import put_table, rows_of

_QUERIES = Path(__file__).with_name("queries")
_FIELDS = [field.name for field in fields(Result)]


@dataclass(frozen=True)
class RecordedCheck(Results):
    """The results of one check of a collection, and when it started (UTC).

    `is_current` says whether the collection was neither loaded nor built since.
    """

    checked_at: datetime
    is_current: bool


def versions(connection: duckdb.DuckDBPyConnection) -> pl.DataFrame:
    """Read the versions of the loaded collections: their last load or removal, and their state."""
    return rows_of(connection, _query("versions"))


def record(
    connection: duckdb.DuckDBPyConnection,
    results: Sequence[Result],
    checked: pl.DataFrame,
    checked_at: datetime,
) -> None:
    """Add the results, each with the checked version of its collection.

    Raise PoolhouseError where there is no such version, because another warehouse has replaced the
    file.
    """
    frame = pl.DataFrame(results, infer_schema_length=None).with_columns(checked_at=checked_at)
    put_table(connection, "recorded", frame.join(checked, on="collection_id"))
    [(n_recorded,)] = connection.execute(_query("record")).fetchall()
    if n_recorded < len(results):
        raise PoolhouseError("the checked warehouse was replaced by another one")


def last_checks(warehouse: Warehouse, collections: Sequence[str]) -> dict[str, RecordedCheck]:
    """Return the last recorded check of each collection that was ever checked.

    Raise PoolhouseError where the warehouse cannot be read.
    """
    rows = query_frame(warehouse, _query("last_checks"), {"collections": list(collections)})
    by_collection = rows.partition_by("collection_id", as_dict=True)
    return {name: _check(of_it.to_dicts()) for (name,), of_it in by_collection.items()}


def _check(rows: Sequence[dict[str, Any]]) -> RecordedCheck:
    results = tuple(Result(**{name: row[name] for name in _FIELDS}) for row in rows)
    return RecordedCheck(results, rows[0]["checked_at"], all(row["is_current"] for row in rows))


def _query(name: str) -> str:
    return (_QUERIES / f"{name}.sql").read_text(encoding="utf-8")
