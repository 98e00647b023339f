"""Copies of marts: tables of a database, Parquet files and CSV files."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

import duckdb

from poolhouse.export.file_names import file_name_of
from poolhouse.export.marts import COLLECTION, Column, Mart
from poolhouse.warehouse.ending import interruptible
from poolhouse.warehouse.file import STORAGE_VERSION, Warehouse
from poolhouse.warehouse.memory import memory_limit
from poolhouse.warehouse.spilling import spill_folder, spilled_in
from poolhouse.warehouse.sql_text import quoted_name, quoted_text

# The warehouse on a connection that writes an export.
SOURCE = "warehouse"

# Called before each step with the name of the copied mart.
Progress = Callable[[str], None]

_PARQUET = "format parquet, compression zstd"
# Options of CSV that databases, spreadsheets and data frames read; null is an empty field.
_CSV = "format csv, header, delimiter ',', timestampformat '%Y-%m-%dT%H:%M:%S.%f'"


@contextmanager
def writing(
    warehouse: Warehouse, database: Path | None, place: Path
) -> Iterator[duckdb.DuckDBPyConnection]:
    """Connect to a new database, or to none, with the published warehouse attached read-only.

    It spills into the place, unless the user named another one. Raise duckdb.Error and OSError.
    """
    with (
        spilled_in(spill_folder() or place) as spilled,
        closing(
            duckdb.connect(
                str(database) if database else ":memory:",
                config={
                    "storage_compatibility_version": STORAGE_VERSION,
                    "memory_limit": memory_limit(),
                    "temp_directory": str(spilled),
                },
            )
        ) as connection,
        interruptible(connection),
    ):
        warehouse.attach(connection, SOURCE)
        yield connection


def copy_to_database(
    connection: duckdb.DuckDBPyConnection,
    marts: Sequence[Mart],
    collections: Sequence[str],
    progress: Progress,
) -> None:
    """Make a table of each mart, in the order of its key, with the comments."""
    for mart in marts:
        progress(mart.name)
        table = quoted_name(mart.name)
        connection.execute(f"create table {table} as {_rows(mart, collections, _as_it_is)}")
        connection.execute(f"comment on table {table} is {quoted_text(mart.description)}")
        for column in mart.columns:
            connection.execute(
                f"comment on column {table}.{quoted_name(column.name)} is "
                f"{quoted_text(column.description)}"
            )
    connection.execute(f"detach {SOURCE}")
    connection.execute("checkpoint")


def copy_to_files(
    connection: duckdb.DuckDBPyConnection,
    mart: Mart,
    collections: Sequence[str],
    folder: Path,
    format_: str,
) -> list[Path]:
    """Write a mart as one file per collection, or as one file; return the files."""
    parts = [[each] for each in collections] if mart.is_of_collections else [[]]
    files = []
    for part in parts:
        file = folder / f"{mart.name}.{format_}"
        if part:
            place = folder / mart.name / f"{COLLECTION}={file_name_of(part[0])}"
            place.mkdir(parents=True)
            file = place / f"{mart.name}.{format_}"
        rows = _rows(mart, part, _as_text if format_ == "csv" else _as_it_is)
        options = _CSV if format_ == "csv" else _PARQUET
        connection.execute(f"copy ({rows}) to {quoted_text(str(file))} ({options})")
        files.append(file)
    return files


def _rows(
    mart: Mart,
    collections: Sequence[str],
    spelled: Callable[[Column], str],
) -> str:
    """Select the rows of collections, or all rows of a mart without collections, ordered by key."""
    columns = ", ".join(map(spelled, mart.columns))
    names = ", ".join(map(quoted_text, collections))
    chosen = f" where {COLLECTION} in ({names})" if mart.is_of_collections else ""
    order = ", ".join(map(quoted_name, mart.key)) or "all"
    relation = f"{SOURCE}.{mart.schema}.{quoted_name(mart.name)}"
    return f"select {columns} from {relation}{chosen} order by {order}"  # noqa: S608 - quoted


def _as_it_is(column: Column) -> str:
    return quoted_name(column.name)


def _as_text(column: Column) -> str:
    """Write a nested value as JSON."""
    name = quoted_name(column.name)
    return f"to_json({name}) as {name}" if column.is_nested else name
