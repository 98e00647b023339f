"""Marts as Parquet or CSV files, each with the rows of all exported collections."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import duckdb

from poolhouse.export.copies import as_it_is, select_rows
from poolhouse.export.descriptions import Table
from poolhouse.export.marts import Column, Mart, references_of
from poolhouse.file_digests import digest_of
from poolhouse.warehouse.sql_text import quoted_name, quoted_text

# Options of CSV that databases, spreadsheets and data frames read; null is an empty field.
_OPTIONS = {
    "parquet": "format parquet, compression zstd",
    "csv": "format csv, header, delimiter ',', timestampformat '%Y-%m-%dT%H:%M:%S.%f'",
}

# The rows that are written. The view of a mart would be computed again for each of its references.
_ROWS = "temp.exported_rows"


def write_mart(
    connection: duckdb.DuckDBPyConnection,
    mart: Mart,
    collections: Sequence[str],
    targets: Mapping[str, str],
    file: Path,
) -> Table:
    """Write a mart in the format that the file's name ends with. Return its description.

    `targets` are the relations of the keys of exported marts, by the names of these marts.
    """
    format_ = file.suffix.removeprefix(".")
    rows = select_rows(mart, collections, _as_text if format_ == "csv" else as_it_is)
    connection.execute(f"create temp table {_ROWS} as {rows}")
    references = dict(references_of(connection, mart, _ROWS, targets))
    connection.execute(f"copy {_ROWS} to {quoted_text(str(file))} ({_OPTIONS[format_]})")
    connection.execute(f"drop table {_ROWS}")
    return Table(mart, file.name, digest_of(file), references)


def write_json(file: Path, value: object) -> None:
    """Write a description of files."""
    text = json.dumps(value, indent=2, ensure_ascii=False)
    file.write_text(f"{text}\n", encoding="utf-8")


def _as_text(column: Column) -> str:
    """Write a nested value as JSON."""
    name = quoted_name(column.name)
    return f"to_json({name}) as {name}" if column.is_nested else name
