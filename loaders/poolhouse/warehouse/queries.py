"""Ad-hoc SQL on the published warehouse."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import duckdb

from poolhouse.errors import PoolhouseError
from poolhouse.warehouse.ending import Limit, limited, memory_limit_of_process, time_limit
from poolhouse.warehouse.exact_values import exact_rows
from poolhouse.warehouse.file import Warehouse, first_line

# What the engine puts before the words with which a macro refuses its arguments.
_OF_OUR_MACROS = "Invalid Input Error: "

_T = TypeVar("_T")
# Asks a statement with its values.
Ask = Callable[[duckdb.DuckDBPyConnection, duckdb.Statement, Mapping[str, object] | None], _T]


@dataclass(frozen=True)
class QueryResult:
    """Names of the columns, and the rows."""

    columns: list[str]
    rows: Sequence[Sequence[object]]


def run_query(
    warehouse: Warehouse,
    sql: str,
    values: Mapping[str, object] | None = None,
    seconds: float | None = None,
) -> QueryResult:
    """Run one statement on the published warehouse, which it can neither change nor leave.

    `values` are those that the SQL names by `$`, `seconds` is how long it may take. Raise
    PoolhouseError with the engine's explanation, or where there is more than one statement, or it
    takes too long or too much memory; WarehouseMissingError.
    """
    return answered(warehouse, sql, values, _result, _limits(seconds)) or QueryResult([], [])


def answered(
    warehouse: Warehouse,
    sql: str,
    values: Mapping[str, object] | None,
    ask: Ask[_T],
    limits: Iterable[Limit] = (),
) -> _T | None:
    """Have the one statement of a text asked; None where there is none, as in a comment.

    `limits` begin when the warehouse is open. Raise the errors of `run_query`.
    """
    try:
        sql.encode()
    except UnicodeEncodeError as error:
        raise PoolhouseError("the query is not UTF-8") from error
    with warehouse.read() as connection, limited(*limits):
        try:
            statements = connection.extract_statements(sql)
            if len(statements) > 1:
                raise PoolhouseError(
                    f"the query is {len(statements)} statements: give one, since only one can "
                    "have its result shown"
                )
            return ask(connection, statements[0], values) if statements else None
        except duckdb.InterruptException:
            raise
        except duckdb.Error as error:
            is_lacking = isinstance(error, duckdb.CatalogException) and not _is_built(warehouse)
            hint = " (nothing is built yet: run poolhouse build)" if is_lacking else ""
            raise PoolhouseError(explanation(error) + hint, _excerpt(error)) from error


def _limits(seconds: float | None) -> Iterator[Limit]:
    yield memory_limit_of_process()
    if seconds is not None:
        yield time_limit(
            seconds,
            f"the query took longer than {seconds:g} s: give it more time (--timeout), or ask for "
            "less",
        )


def _result(
    connection: duckdb.DuckDBPyConnection,
    statement: duckdb.Statement,
    values: Mapping[str, object] | None,
) -> QueryResult:
    if statement.type is duckdb.StatementType.SELECT:
        relation = _bound(connection, statement, values)
        return QueryResult(relation.columns, exact_rows(relation))
    # Such as explain, which is run once and not when it is asked for its types.
    cursor = connection.execute(statement, values) or connection
    columns = [column[0] for column in cursor.description or ()]
    return QueryResult(columns, cursor.fetchall() if columns else [])


def _bound(
    connection: duckdb.DuckDBPyConnection,
    statement: duckdb.Statement,
    values: Mapping[str, object] | None,
) -> duckdb.DuckDBPyRelation:
    """Bind a query, which is run when its rows are asked for."""
    try:
        return connection.sql(statement, params=values)
    except (duckdb.BinderException, duckdb.CatalogException):
        # Executed, it is not bound either, and the error then shows the place in the query.
        connection.execute(statement, values)
        raise


def _is_built(warehouse: Warehouse) -> bool:
    with warehouse.read() as connection:
        return bool(connection.execute("select 1 from ops.builds limit 1").fetchall())


def _excerpt(error: duckdb.Error) -> str:
    """Take the engine's excerpt of the query, with a caret below the place, where it has one."""
    _, line, rest = str(error).partition("\nLINE ")
    return f"{line.strip()} {rest}" if "^" in rest else ""


def explanation(error: duckdb.Error) -> str:
    """Make one line of the engine's message: its suggestions too, not its excerpt of the query."""
    if isinstance(error, duckdb.OutOfMemoryException):
        return first_line(error)
    return " ".join(str(error).partition("\nLINE ")[0].split()).removeprefix(_OF_OUR_MACROS)
