"""Ad-hoc SQL on the published warehouse."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import takewhile
from typing import Any, TypeVar

import duckdb

from poolhouse.errors import NotBuiltError, PoolhouseError
from poolhouse.output.cells import JsonText
from poolhouse.warehouse.engine_errors import first_line
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.limits import Limit, limited, memory_limit_of_process, time_limit

# Words of the engine before the message with which a macro refuses its arguments.
_OF_OUR_MACROS = "Invalid Input Error: "

# What the binding adds to an error of Python, such as one of the files of a lake.
_WHERE_IN_PYTHON = "\n\nAt:\n"

# A signal or a limit ends a query between two parts of its rows, and never within one.
_ROWS_AT_ONCE = 10_000

_T = TypeVar("_T")
# Runs a statement with its values.
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
    most: int | None = None,
) -> QueryResult:
    """Run one statement on the published warehouse, read-only and without other files.

    `values` are the values of the SQL's parameters with `$`, `seconds` is its longest time, and
    `most` is the largest number of rows that are fetched. Raise WarehouseMissingError. Raise
    PoolhouseError with the engine's explanation, also where there is more than one statement, or
    the statement takes too long or too much memory.
    """
    ask = partial(_result, most=most)
    return answered(warehouse, sql, values, ask, _limits(seconds)) or QueryResult([], [])


def answered(
    warehouse: Warehouse,
    sql: str,
    values: Mapping[str, object] | None,
    ask: Ask[_T],
    limits: Iterable[Limit] = (),
) -> _T | None:
    """Run the only statement of a text. Return None if there is no statement, as in a comment.

    `limits` begin when the warehouse is open. Raise the errors of `run_query`.
    """
    try:
        sql.encode()
    except UnicodeEncodeError as error:
        raise PoolhouseError("the query is not UTF-8") from error
    with warehouse.read() as connection, limited(*limits):
        try:
            statements = connection.extract_statements(sql)
            if not statements:
                return None
            # The engine (1.5) puts statements before a `pivot` that make a type of its columns.
            types = list(takewhile(_is_type_of_pivot, statements[:-1]))
            if n_others := len(statements) - len(types) - 1:
                raise PoolhouseError(
                    f"the query is {n_others + 1} statements: give one, since only one can "
                    "have its result shown"
                )
            for each in types:
                connection.execute(each)
            return ask(connection, statements[-1], values)
        except duckdb.InterruptException:
            raise
        except duckdb.Error as error:
            hint = _hint(connection, error)
            raise PoolhouseError(explanation(error) + hint, _excerpt(error)) from error


def _is_type_of_pivot(statement: duckdb.Statement) -> bool:
    """Return whether a statement creates something that its text does not say."""
    return (
        statement.type == duckdb.StatementType.CREATE
        and not statement.query.lstrip().lower().startswith("create")
    )


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
    most: int | None,
) -> QueryResult:
    if statement.type == duckdb.StatementType.SELECT:
        relation = _bound(connection, statement, values)
        relation = relation if most is None else relation.limit(most)
        return QueryResult(relation.columns, _rows(relation))
    # A statement such as explain runs once, and not when its types are read.
    cursor = connection.execute(statement, values) or connection
    columns = [column[0] for column in cursor.description or ()]
    return QueryResult(columns, cursor.fetchall()[:most] if columns else [])


def _rows(relation: duckdb.DuckDBPyRelation) -> list[tuple[Any, ...]]:
    """Fetch the rows. The binding returns JSON as plain text, without its type."""
    rows = []
    while part := relation.fetchmany(_ROWS_AT_ONCE):
        rows += part
    is_json = [str(type_) == "JSON" for type_ in relation.types]
    if not any(is_json):
        return rows
    return [
        tuple(
            JsonText(value) if kind and value is not None else value
            for value, kind in zip(row, is_json, strict=True)
        )
        for row in rows
    ]


def _bound(
    connection: duckdb.DuckDBPyConnection,
    statement: duckdb.Statement,
    values: Mapping[str, object] | None,
) -> duckdb.DuckDBPyRelation:
    """Bind a query. The query runs when its rows are fetched."""
    try:
        return connection.sql(statement, params=values)
    except (duckdb.BinderException, duckdb.CatalogException):
        # Execution fails in the same way, and its error shows the place in the query.
        connection.execute(statement, values)
        raise


def _hint(connection: duckdb.DuckDBPyConnection, error: duckdb.Error) -> str:
    """Return what to do about a relation that the engine does not find, or nothing."""
    is_missing = isinstance(error, duckdb.CatalogException)
    if is_missing and not connection.execute("select 1 from ops.builds limit 1").fetchall():
        return f" ({NotBuiltError()})"
    return ""


def _excerpt(error: duckdb.Error) -> str:
    """Return the engine's excerpt of the query, with a caret below the place, if there is one."""
    _, line, rest = str(error).partition("\nLINE ")
    return f"{line.strip()} {rest}" if "^" in rest else ""


@contextmanager
def explained(about: str = "") -> Iterator[None]:
    """Raise PoolhouseError in place of an error of the engine; `about` stands before its words."""
    try:
        yield
    except duckdb.Error as error:
        raise PoolhouseError(f"{about}{explanation(error)}") from error


def explanation(error: duckdb.Error) -> str:
    """Make one line of the engine's message, with its suggestions and without its excerpt."""
    if isinstance(error, duckdb.OutOfMemoryException):
        return first_line(error)
    told = str(error).partition("\nLINE ")[0].partition(_WHERE_IN_PYTHON)[0]
    return " ".join(told.split()).removeprefix(_OF_OUR_MACROS)
