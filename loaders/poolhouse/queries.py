"""Ad-hoc SQL on the published warehouse."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import duckdb

from poolhouse.errors import PoolhouseError
from poolhouse.warehouse import Warehouse

# What the engine puts before the words with which a macro refuses its arguments.
_OF_OUR_MACROS = "Invalid Input Error: "


@dataclass(frozen=True)
class QueryResult:
    """Names of the columns, and the rows."""

    columns: list[str]
    rows: Sequence[Sequence[object]]


def run_query(
    warehouse: Warehouse, sql: str, values: Mapping[str, object] | None = None
) -> QueryResult:
    """Run SQL on the published warehouse, which it can neither change nor leave.

    `values` are those that the SQL names by `$`.
    Errors: PoolhouseError with the engine's explanation, WarehouseMissingError.
    """
    try:
        sql.encode()
    except UnicodeEncodeError as error:
        raise PoolhouseError("the query is not UTF-8") from error
    with warehouse.read() as connection:
        try:
            # A text without a statement, such as a comment, has no result; DuckDB gives None.
            cursor = connection.execute(sql, values) or connection
            columns = [column[0] for column in cursor.description or ()]
            return QueryResult(columns, cursor.fetchall() if columns else [])
        except duckdb.Error as error:
            is_lacking = isinstance(error, duckdb.CatalogException) and not _is_built(warehouse)
            hint = " (nothing is built yet: poolhouse build)" if is_lacking else ""
            raise PoolhouseError(explanation(error) + hint) from error


def _is_built(warehouse: Warehouse) -> bool:
    with warehouse.read() as connection:
        return bool(connection.execute("select 1 from ops.builds limit 1").fetchall())


def explanation(error: duckdb.Error) -> str:
    """Make one line of the engine's message: its suggestions too, not its excerpt of the query."""
    return " ".join(str(error).partition("\nLINE ")[0].split()).removeprefix(_OF_OUR_MACROS)
