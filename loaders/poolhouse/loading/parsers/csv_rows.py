"""Rows of CSV, with a length of field that no other library changes."""

import csv
from collections.abc import Iterator

LONGEST_FIELD = 131_072
"""Characters of the longest field: Python's own limit where no library has raised it."""


def rows(reader: Iterator[list[str]]) -> Iterator[list[str]]:
    """Yield the fields of each row of a `csv.reader`. Raise csv.Error for a field too long.

    Python's own limit holds for the whole process, and libraries raise it for all others.
    """
    for fields in reader:
        if any(len(field) > LONGEST_FIELD for field in fields):
            raise csv.Error(f"field larger than field limit ({LONGEST_FIELD})")
        yield fields
