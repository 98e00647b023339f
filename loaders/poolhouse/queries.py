"""Ad-hoc SQL on the published warehouse."""

from collections.abc import Sequence
from dataclasses import dataclass

import duckdb

from poolhouse.errors import PoolhouseError
from poolhouse.warehouse import Warehouse, first_line


@dataclass(frozen=True)
class QueryResult:
    """Names of the columns, and the rows."""

    columns: list[str]
    rows: Sequence[Sequence[object]]


def run_query(warehouse: Warehouse, sql: str) -> QueryResult:
    """Run SQL on the published warehouse, which it can neither change nor leave.

    Errors: PoolhouseError with the engine's first line, WarehouseMissingError.
    """
    with warehouse.read() as connection:
        try:
            cursor = connection.execute(sql)
            columns = [column[0] for column in cursor.description or ()]
            return QueryResult(columns, cursor.fetchall() if columns else [])
        except duckdb.Error as error:
            raise PoolhouseError(first_line(error)) from error
