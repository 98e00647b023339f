"""Recording the results of a check."""

from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime

import duckdb

from poolhouse.errors import PoolhouseError
from poolhouse.expectations.queries import query
from poolhouse.expectations.results import Result

# The checked version of each collection: its key and name, its last load or removal, its state.
Versions = list[dict[str, object]]


def versions(connection: duckdb.DuckDBPyConnection) -> Versions:
    """Read the versions of the loaded collections."""
    rows = connection.sql(query("versions"))
    return [dict(zip(rows.columns, row, strict=True)) for row in rows.fetchall()]


def record(
    connection: duckdb.DuckDBPyConnection,
    results: Sequence[Result],
    checked: Versions,
    checked_at: datetime,
) -> None:
    """Add the results, each with the checked version of its collection.

    Raise PoolhouseError where there is no such version, because another warehouse has replaced the
    file.
    """
    rows = [{**asdict(each), "checked_at": checked_at} for each in results]
    values = {"results": rows, "checked": checked}
    [(n_recorded,)] = connection.execute(query("record"), values).fetchall()
    if n_recorded < len(results):
        raise PoolhouseError("the checked warehouse was replaced by another one")
