"""Records of a CSV file, by the columns that its header names."""

import csv
import io
from collections.abc import Iterator, Sequence

from poolhouse.errors import BadFileError
from poolhouse.loading.parsers.csv_rows import rows
from poolhouse.loading.parsers.source import SourceFile


def records(
    source: SourceFile,
    required: Sequence[str],
    expected: str,
    read: Sequence[str] | None = None,
) -> Iterator[tuple[int, dict[str, str]]]:
    """Return each record with its line: fields by column, without white space around them.

    `required` are the columns that the header must have, and `expected` says so in words. `read`
    are the columns that are read; the default is every column. Raise BadFileError, with the line,
    also for a quote that is not closed, a repeated column, and more fields than columns.
    """
    if b"\0" in source.data:
        raise BadFileError(source.path, "holds NUL bytes: it is not a CSV file")
    # With a final line end, an unclosed quote always puts a line end into its field.
    text = io.StringIO(f"{source.data.decode()}\n", newline="")
    reader = csv.reader(text, skipinitialspace=True)
    fields_of_rows = rows(reader)
    try:
        header = [name.strip() for name in next(fields_of_rows, [])]
        if not set(required) <= set(header):
            raise BadFileError(source.path, expected, 1)
        if len(set(header)) < len(header):
            raise BadFileError(source.path, "the header names a column twice", 1)
        for fields in fields_of_rows:
            if fields:
                record = _record(source, header, fields, reader.line_num, read or header)
                yield reader.line_num, record
    except csv.Error as error:
        raise BadFileError(source.path, f"not a CSV file: {error}", reader.line_num) from error


def _record(
    source: SourceFile, header: list[str], fields: list[str], line: int, read: Sequence[str]
) -> dict[str, str]:
    if len(fields) > len(header):
        problem = "more fields than the header has; put quotes around a field with a comma"
        raise BadFileError(source.path, problem, line)
    row = dict(zip(header, fields, strict=False))
    if any(mark in row.get(name, "") for name in read for mark in "\r\n"):
        problem = "a field of a record that ends here holds a line break: is a quote not closed?"
        raise BadFileError(source.path, problem, line)
    return {name: field.strip() for name, field in row.items()}
