"""Marts as Parquet or CSV files, one for each collection.

The views of the marts take longer to plan than a small collection to write. Small collections share
a statement, which takes a fifth of the time where there are a hundred of them. A large one has a
statement of its own, because all threads then write it.
"""

import shutil
from collections.abc import Mapping, Sequence
from hashlib import sha256
from itertools import chain
from pathlib import Path

import duckdb

from poolhouse.export.copies import SOURCE, as_it_is, select_rows
from poolhouse.export.file_names import file_name_of
from poolhouse.export.marts import COLLECTION, Column, Mart
from poolhouse.warehouse.sql_text import quoted_name, quoted_text

# Options of CSV that databases, spreadsheets and data frames read; null is an empty field.
_OPTIONS = {
    "parquet": "format parquet, compression zstd",
    "csv": "format csv, header, delimiter ',', timestampformat '%Y-%m-%dT%H:%M:%S.%f'",
}

# The lists of a collection: one for each run and topic.
_LISTS = f"""
select collection_id, coalesce(n_runs * n_topics, 0) from {SOURCE}.main.dim_collections
"""  # noqa: S608 - a constant
_MOST_LISTS_OF_SMALL = 1_000
# Files that a statement holds open. Some systems allow 256 in a process.
_MOST_OPEN = 200
_PART = "collection_hash"


def portions_of(
    connection: duckdb.DuckDBPyConnection, collections: Sequence[str]
) -> list[list[str]]:
    """Divide collections into those that are written by one statement."""
    n_lists = dict(connection.execute(_LISTS).fetchall())
    large = [each for each in collections if n_lists[each] > _MOST_LISTS_OF_SMALL]
    small = [each for each in collections if n_lists[each] <= _MOST_LISTS_OF_SMALL]
    shared = [small[start : start + _MOST_OPEN] for start in range(0, len(small), _MOST_OPEN)]
    return [*([each] for each in large), *shared]


def copy_to_files(
    connection: duckdb.DuckDBPyConnection,
    mart: Mart,
    portions: Sequence[Sequence[str]],
    folder: Path,
    format_: str,
) -> list[Path]:
    """Write a mart as one file per collection, or as one file; return the files."""
    name = f"{mart.name}.{format_}"
    if not mart.is_of_collections:
        _copy(connection, _rows(mart, [], format_), folder / name, _OPTIONS[format_])
        return [folder / name]
    files = {}
    for collection in sorted(chain.from_iterable(portions)):
        place = folder / mart.name / f"{COLLECTION}={file_name_of(collection)}"
        place.mkdir(parents=True)
        files[collection] = place / name
    for portion in portions:
        if len(portion) > 1:
            _copy_parts(connection, mart, {each: files[each] for each in portion}, format_)
        else:
            rows = _rows(mart, portion, format_)
            _copy(connection, rows, files[portion[0]], _OPTIONS[format_])
    return list(files.values())


def _copy_parts(
    connection: duckdb.DuckDBPyConnection, mart: Mart, files: Mapping[str, Path], format_: str
) -> None:
    """Write the files of collections by one statement.

    The engine names the folder of a part by a value, and spells some characters in its own way.
    So the value is a hash of the name. Threads would write the rows of a part in any order.
    """
    parts = next(iter(files.values())).parents[1] / ".parts"
    rows = _rows(mart, list(files), format_, f", sha256({COLLECTION}) as {_PART}")
    connection.execute(f"set threads = 1; set partitioned_write_max_open_files = {_MOST_OPEN}")
    _copy(connection, rows, parts, f"{_OPTIONS[format_]}, partition_by ({_PART})")
    connection.execute("reset threads")
    empty = None
    for collection, file in files.items():
        part = parts / f"{_PART}={sha256(collection.encode()).hexdigest()}"
        if part.exists():
            [written] = part.iterdir()
            written.rename(file)
        elif empty:
            shutil.copyfile(empty, file)
        else:  # a collection without rows has no part
            _copy(connection, _rows(mart, [collection], format_), file, _OPTIONS[format_])
            empty = file
    shutil.rmtree(parts, ignore_errors=True)


def _rows(mart: Mart, collections: Sequence[str], format_: str, more: str = "") -> str:
    return select_rows(mart, collections, _as_text if format_ == "csv" else as_it_is, more)


def _copy(connection: duckdb.DuckDBPyConnection, rows: str, target: Path, options: str) -> None:
    connection.execute(f"copy ({rows}) to {quoted_text(str(target))} ({options})")


def _as_text(column: Column) -> str:
    """Write a nested value as JSON."""
    name = quoted_name(column.name)
    return f"to_json({name}) as {name}" if column.is_nested else name
