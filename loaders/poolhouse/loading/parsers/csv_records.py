"""Records of a CSV file, by the columns that its header names."""

import csv
import io
from collections.abc import Iterator, Sequence

from poolhouse.errors import BadFileError
from poolhouse.loading.parsers.source import SourceFile

# Characters of the longest field: Python's own limit, which holds for the whole process, and which
# libraries raise for all others.
_LONGEST_FIELD = 131_072


def records(
    source: SourceFile,
    required: Sequence[str],
    expected: str,
    read: Sequence[str] | None = None,
    separator: str = ",",
) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield each record with its line: fields by column, without white space around them.

    `required` are the columns that the header must have, and `expected` says so in words. `read`
    are the columns that are read; the default is every column. Raise BadFileError, with the line,
    also for a quote that is not closed, a repeated column, and more fields than columns.
    """
    if b"\0" in source.data:
        raise BadFileError(source.path, "holds NUL bytes: it is not a CSV file")
    # With a final line end, an unclosed quote always puts a line end into its field.
    lines = io.StringIO(f"{source.data.decode()}\n", newline="")
    reader = csv.reader(lines, delimiter=separator, skipinitialspace=True)
    try:
        header = [name.strip() for name in next(reader, [])]
        if not set(required) <= set(header):
            raise BadFileError(source.path, expected, 1)
        if len(set(header)) < len(header):
            raise BadFileError(source.path, "the header names a column twice", 1)
        places = [(name, header.index(name)) for name in read or header if name in header]
        for fields in reader:
            if len(fields) > len(header):
                problem = "more fields than the header has; put quotes around a field with a comma"
                raise BadFileError(source.path, problem, reader.line_num)
            if not fields:
                continue
            text = "".join(fields)
            if len(text) > _LONGEST_FIELD or "\n" in text or "\r" in text:
                _check(source, [fields[n] for _, n in places if n < len(fields)], reader.line_num)
            yield (
                reader.line_num,
                {name: fields[n].strip() for name, n in places if n < len(fields)},
            )
    except csv.Error as error:
        raise BadFileError(source.path, f"not a CSV file: {error}", reader.line_num) from error


def _check(source: SourceFile, fields: Sequence[str], line: int) -> None:
    if any("\n" in field or "\r" in field for field in fields):
        problem = "a field of a record that ends here holds a line break: is a quote not closed?"
        raise BadFileError(source.path, problem, line)
    if any(len(field) > _LONGEST_FIELD for field in fields):
        raise csv.Error(f"field larger than field limit ({_LONGEST_FIELD})")
