"""Copies of marts as tables of a database, and the rows of all copies."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

import duckdb

from poolhouse.export.marts import (
    COLLECTION,
    Column,
    Mart,
    has_key,
    references_of,
    targets_first,
)
from poolhouse.progress import Progress
from poolhouse.warehouse.confinement import LOCKING, confine
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.interrupting import interruptible
from poolhouse.warehouse.memory import memory_limit
from poolhouse.warehouse.spilling import spill_folder, spilled_in
from poolhouse.warehouse.sql_text import quoted_name, quoted_text

# The warehouse, and the database that is made, on a connection that writes an export.
SOURCE = "warehouse"
_TARGET = "marts"

# Clients of DuckDB 1.1 and later read this format. A table or an index takes at least one block.
_STORAGE_VERSION = "v1.1.0"
_BLOCK_SIZE = 16_384
# The engine makes an index for each key, in about 30 microseconds a row.
_MOST_ROWS_WITH_KEYS = 100_000


@contextmanager
def writing(
    warehouse: Warehouse, database: Path | None, target: Path, *, with_one_thread: bool = False
) -> Iterator[duckdb.DuckDBPyConnection]:
    """Connect to a new database, or to none, with the published warehouse attached read-only.

    The engine can write files into the folder `target`. It spills beside it, unless the user named
    another place. Raise duckdb.Error and OSError.
    """
    threads = {"threads": 1} if with_one_thread else {}
    with (
        spilled_in(spill_folder() or target.parent) as spilled,
        closing(
            duckdb.connect(
                config={"memory_limit": memory_limit(), "temp_directory": str(spilled), **threads}
            )
        ) as connection,
        interruptible(connection),
    ):
        warehouse.attach(connection, SOURCE)
        if database:
            connection.execute(
                f"attach {quoted_text(str(database))} as {_TARGET} "
                f"(storage_version '{_STORAGE_VERSION}', block_size {_BLOCK_SIZE})"
            )
            connection.execute(f"use {_TARGET}")
        confine(connection, [spilled, target, *warehouse.reached])
        connection.execute(LOCKING)
        yield connection


def copy_to_database(
    connection: duckdb.DuckDBPyConnection,
    marts: Sequence[Mart],
    collections: Sequence[str],
    progress: Progress,
) -> None:
    """Make a table of each mart, in the order of its key, with the comments and the keys."""
    with_key: dict[str, str] = {}
    for number, mart in enumerate(targets_first(marts)):
        progress(mart.name, number, len(marts))
        table = quoted_name(mart.name)
        connection.execute(f"create table {table} as {select_rows(mart, collections, as_it_is)}")
        [(n_rows,)] = connection.execute(f"select count(*) from {table}").fetchall()  # noqa: S608
        if n_rows <= _MOST_ROWS_WITH_KEYS:
            _add_keys(connection, mart, with_key)
        connection.execute(f"comment on table {table} is {quoted_text(mart.description)}")
        for column in mart.columns:
            connection.execute(
                f"comment on column {table}.{quoted_name(column.name)} is "
                f"{quoted_text(column.description)}"
            )
    connection.execute("checkpoint")


def _add_keys(connection: duckdb.DuckDBPyConnection, mart: Mart, with_key: dict[str, str]) -> None:
    """Make a table again with the keys that hold for its rows. Add it to the tables with a key.

    The engine takes foreign keys only when it makes a table.
    """
    table = quoted_name(mart.name)
    made = connection.table(table)
    types = zip(made.columns, made.types, strict=True)
    parts = [f"{quoted_name(column)} {type_}" for column, type_ in types]
    for target, columns in references_of(connection, mart, table, with_key):
        names = ", ".join(map(quoted_name, columns))
        parts.append(f"foreign key ({names}) references {with_key[target]} ({names})")
    if has_key(connection, mart, table):
        parts.append(f"primary key ({', '.join(map(quoted_name, mart.key))})")
        with_key[mart.name] = table
    connection.execute(f"create temp table kept_rows as from {table}")
    connection.execute(f"drop table {table}")
    connection.execute(f"create table {table} ({', '.join(parts)})")
    connection.execute(f"insert into {table} from kept_rows")
    connection.execute("drop table kept_rows")


def select_rows(mart: Mart, collections: Sequence[str], spelled: Callable[[Column], str]) -> str:
    """Select the rows of collections, or all rows of a mart without collections, ordered by key.

    `spelled` writes a column.
    """
    columns = ", ".join(map(spelled, mart.columns))
    names = ", ".join(map(quoted_text, collections))
    chosen = f" where {COLLECTION} in ({names})" if mart.is_of_collections else ""
    order = ", ".join(map(quoted_name, mart.key)) or "all"
    source = relation_of(mart)
    return f"select {columns} from {source}{chosen} order by {order}"  # noqa: S608 - quoted


def relation_of(mart: Mart) -> str:
    """Return the relation of a mart in the warehouse."""
    return f"{SOURCE}.{quoted_name(mart.schema)}.{quoted_name(mart.name)}"


def as_it_is(column: Column) -> str:
    """Select a column."""
    return quoted_name(column.name)
