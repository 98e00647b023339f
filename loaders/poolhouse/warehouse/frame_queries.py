"""Ad-hoc SQL whose result is a data frame."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import duckdb
import polars as pl

from poolhouse.errors import PoolhouseError
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.queries import answered

if TYPE_CHECKING:
    import pyarrow as pa


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
        return _frame(connection.sql(statement, params=values).to_arrow_table())
    cursor = connection.execute(statement, values) or connection
    columns = [column[0] for column in cursor.description or ()]
    return pl.DataFrame(cursor.fetchall() if columns else [], schema=columns, orient="row")


def _frame(table: "pa.Table") -> pl.DataFrame:
    names = table.column_names
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise PoolhouseError(f"two columns are called {twice!r}: name them, as in `score as other`")
    columns = {}
    for name, column in zip(names, table.columns, strict=True):
        try:
            columns[name] = pl.Series(name, column)
        except pl.exceptions.PolarsError as error:
            raise PoolhouseError(
                f"column {name!r}: a data frame has no place for the type {column.type}: ask for "
                f"cast({name} as varchar)"
            ) from error
    return pl.DataFrame(columns)
