"""Ad-hoc SQL whose result is a data frame."""

from collections.abc import Mapping

import duckdb
import polars as pl

from poolhouse.errors import PoolhouseError
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.frames import frame_of
from poolhouse.warehouse.queries import answered

# Types for which a data frame has no place, also where they are a part of another type.
_WITHOUT_PLACE = ("INTERVAL", "UNION(", "VARIANT")


def query_frame(
    warehouse: Warehouse, sql: str, values: Mapping[str, object] | None = None
) -> pl.DataFrame:
    """Run one statement on the published warehouse, read-only and without other files.

    `values` are the values of the SQL's parameters with `$`. A text without a statement gives no
    columns. Raise the errors of `queries.run_query`. Raise PoolhouseError where a column has no
    name of its own, or a type that a frame cannot have.
    """
    frame = answered(warehouse, sql, values, _result)
    return pl.DataFrame() if frame is None else frame


def _result(
    connection: duckdb.DuckDBPyConnection,
    statement: duckdb.Statement,
    values: Mapping[str, object] | None,
) -> pl.DataFrame:
    if statement.type == duckdb.StatementType.SELECT:
        relation = connection.sql(statement, params=values)
        _check_columns(relation)
        return frame_of(relation)
    cursor = connection.execute(statement, values) or connection
    columns = [column[0] for column in cursor.description or ()]
    return pl.DataFrame(cursor.fetchall() if columns else [], schema=columns, orient="row")


def _check_columns(relation: duckdb.DuckDBPyRelation) -> None:
    names = relation.columns
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise PoolhouseError(f"two columns are called {twice!r}: name them, as in `score as other`")
    for name, of_column in zip(names, map(str, relation.types), strict=True):
        if any(word in of_column for word in _WITHOUT_PLACE):
            raise PoolhouseError(
                f"column {name!r}: a data frame has no place for the type {of_column}: ask for "
                f"cast({name} as varchar)"
            )
