"""Tables with a title, which documents and terminals show. Names from files are only text."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import groupby

from poolhouse.output.cells import as_text
from poolhouse.output.printable import one_line

# The name of a column, or its parts: names of groups of columns, from the outermost on, and its
# own. An empty name stands for no group.
Column = str | tuple[str, ...]
# Title, columns and rows. The title may be empty.
TitledTable = tuple[str, Sequence[Column], Sequence[Sequence[object]]]


@dataclass(frozen=True)
class Number:
    """A number of a table as it is shown: its digits, whether it is bold, and marks after it."""

    digits: str
    is_bold: bool = False
    marks: str = ""


NUMBERS = (int, float, Decimal, Number)


def plain(table: TitledTable) -> TitledTable:
    """Return a table for a terminal: no groups of columns, and stars around bold numbers."""
    title, columns, rows = table
    aligned = [_aligned([row[place] for row in rows]) for place in range(len(columns))]
    return title, list(map(flat, columns)), list(zip(*aligned, strict=True))


def _aligned(values: Sequence[object]) -> Sequence[object]:
    """Replace each Number of a column by its text, so that decimals are below each other."""
    numbers = [each for each in values if isinstance(each, Number)]
    if not numbers:
        return values
    star = "*" if any(each.is_bold for each in numbers) else ""
    texts = [
        (f"{star}{each.digits}{star}" if each.is_bold else f"{each.digits}{' ' * len(star)}")
        for each in numbers
    ]
    width = max(map(len, texts))
    shown = iter(
        f"{text:>{width}} {each.marks}".rstrip() for text, each in zip(texts, numbers, strict=True)
    )
    return [next(shown) if isinstance(each, Number) else each for each in values]


def flat(column: Column) -> str:
    """Return the name of a column, after the names of its groups."""
    return column if isinstance(column, str) else " ".join(filter(None, column))


def headings(columns: Sequence[Column]) -> list[list[tuple[str, int]]]:
    """Return the rows of the head, each as names with the number of columns that they span.

    Columns are in one group only if they are in the same groups above it.
    """
    parts = [(each,) if isinstance(each, str) else each for each in columns]
    depth = max(map(len, parts), default=1)
    padded = [("",) * (depth - len(each)) + tuple(each) for each in parts]
    rows = [
        [(key[-1], len(list(same))) for key, same in groupby(each[: level + 1] for each in padded)]
        for level in range(depth - 1)
    ]
    return [*rows, [(each[-1], 1) for each in padded]]


def cell_text(value: object, escaped: Callable[[str], str]) -> str:
    """Return a value as one line of text, escaped for a document."""
    return escaped(one_line(" ".join(as_text(value).splitlines())))


def are_numeric(columns: Sequence[Column], rows: Sequence[Sequence[object]]) -> list[bool]:
    """Return for each column whether it has a number."""
    return [
        any(isinstance(row[position], NUMBERS) for row in rows) for position in range(len(columns))
    ]
