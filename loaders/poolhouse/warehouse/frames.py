"""Data frames to and from the engine, through Arrow's C stream interface.

DuckDB's own way between both takes pyarrow, which is a fifth of all that would be installed.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import duckdb
import polars as pl


@contextmanager
def registered(
    connection: duckdb.DuckDBPyConnection, name: str, frame: pl.DataFrame
) -> Iterator[None]:
    """Give a frame a name in SQL for one statement. The name must not come from a user."""
    # The stream itself, which is read once: of an object that has a stream, the engine makes a data
    # set of pyarrow where this is installed, which takes six times as long.
    connection.register(name, frame.__arrow_c_stream__())
    try:
        yield
    finally:
        connection.unregister(name)


def put_table(connection: duckdb.DuckDBPyConnection, table: str, frame: pl.DataFrame) -> None:
    """Create a temporary table from a frame. The name must not come from a user."""
    with registered(connection, "frame", frame):
        connection.execute(f"create or replace temp table {table} as from frame")


def rows_of(
    connection: duckdb.DuckDBPyConnection, query: str, values: Mapping[str, object] | None = None
) -> pl.DataFrame:
    """Return the result of a query as a frame."""
    return frame_of(connection.sql(query, params=values))


def frame_of(relation: duckdb.DuckDBPyRelation) -> pl.DataFrame:
    """Return the rows of a relation as a frame. Raise the errors of the engine."""
    try:
        return pl.DataFrame(relation)
    except pl.exceptions.ComputeError:
        # An error after the first rows comes through the stream as a text. The text may be the one
        # of a thread that was only interrupted by it. Without a stream the engine raises the error.
        return pl.DataFrame(relation.execute())
