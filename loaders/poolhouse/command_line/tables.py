"""Tables for people: in boxes if they fit, else as a list without lines, else as records.

A terminal gets the first rows, in its width. Texts of several words may be folded there, and of a
table that is wide and long only the first columns are shown. A pipe or a file gets all rows, each
on one line, which `head` and `grep` take whole. Where a row is wider than _WIDTH_OF_A_LIST it is a
record, with one field on each line.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import zip_longest
from textwrap import wrap

from rich import box
from rich.cells import cell_len, set_cell_size
from rich.console import Console
from rich.table import Table
from rich.text import Text

from poolhouse.output.cells import as_text
from poolhouse.output.printable import printable
from poolhouse.output.titled_tables import NUMBERS

Row = Sequence[object]

# Rows of a long result, or fields of its records, that a terminal shows: two or three screens.
MOST_ROWS = 100
# Columns of a pipe or a file, as in a log or a mail.
WIDTH_OF_A_PIPE = 100
# A row of at most this width stays on one line in a pipe or a file. A wider row has values so far
# from their names that it is better read as a record. A text at its end may go beyond.
_WIDTH_OF_A_LIST = 2 * WIDTH_OF_A_PIPE

# Spaces between two columns of a list, and what a box adds to a column.
_GAP = 2
_BOX = 3
# A name of at most this width is not wrapped.
_SHORT_NAME = 8
# On a terminal, texts of several words are folded to no less than this width.
_SHORT_TEXT = 16


def print_table(console: Console, columns: Sequence[str], rows: Sequence[Row], title: str) -> None:
    """Print a table. A terminal gets the first rows of a long one, a pipe or a file all rows."""
    shown = rows[:MOST_ROWS] if console.is_terminal else rows
    laid_out = [
        _column(name, [row[place] for row in shown], may_fold=console.is_terminal)
        for place, name in enumerate(columns)
    ]
    if not console.is_terminal:
        console.width = WIDTH_OF_A_PIPE
    if title:
        console.print(Text(printable(title), style="italic"))
    left_out: list[str] = []
    if sum(column.natural + _BOX for column in laid_out) < console.width:
        console.print(_table(Table(), laid_out, (column.name for column in laid_out)))
    elif listed := _listed(console, laid_out, len(shown)):
        others = [column for column in laid_out if column not in listed]
        _print_shared(console, [column for column in others if column.is_shared])
        _print_list(console, listed)
        left_out = [column.name for column in others if not column.is_shared]
    else:
        _print_records(console, laid_out, len(shown))
    if left_out:
        _print_rest(console, f"not shown: {', '.join(left_out)}")
    if len(shown) < len(rows):
        _print_rest(console, f"{len(shown)} of {len(rows)} rows")


def _print_rest(console: Console, text: str) -> None:
    console.print(Text(f"{text}; to see all: --output FILE, or a pipe (| less)", style="dim"))


@dataclass(frozen=True, eq=False)
class _Column:
    """A column of a table, with its cells as text. `is_folded` folds texts of several words."""

    name: str
    cells: Sequence[str]
    is_numeric: bool
    is_folded: bool

    @cached_property
    def of_cells(self) -> int:
        """The width in which no cell is folded."""
        return max(map(_width, self.cells), default=0)

    @property
    def natural(self) -> int:
        """The width in which nothing is wrapped."""
        return max(cell_len(self.name), self.of_cells)

    @cached_property
    def least(self) -> int:
        """The least width of the column in a list."""
        return max(_width(self.wrapped_name(_SHORT_NAME)), self._least_of_cells)

    @property
    def _least_of_cells(self) -> int:
        return min(self.of_cells, _SHORT_TEXT) if self.is_folded else self.of_cells

    @cached_property
    def is_shared(self) -> bool:
        """Whether all rows have the same value."""
        return len(set(self.cells)) == 1

    def wrapped_name(self, width: int) -> str:
        """Wrap the name, after underscores and at spaces, into a width or that of the cells."""
        most = max(width, self._least_of_cells) + len(" ")
        lines = wrap(self.name.replace("_", "_ "), most, break_long_words=False)
        return "\n".join(lines).replace("_ ", "_")


def _column(name: str, values: Sequence[object], *, may_fold: bool) -> _Column:
    cells = list(map(as_text, values))
    is_numeric = any(isinstance(value, NUMBERS) for value in values)
    return _Column(
        printable(name), cells, is_numeric, may_fold and any(" " in cell for cell in cells)
    )


def _width(text: str) -> int:
    return max(map(cell_len, text.split("\n")))


def _taken(widths: Iterable[int]) -> int:
    """Return the width of columns, with the gaps between them."""
    return sum(width + _GAP for width in widths) - _GAP


def _listed(console: Console, columns: Sequence[_Column], n_rows: int) -> Sequence[_Column]:
    """Return the columns that a list has, or none if the rows are records."""
    if n_rows <= 1:
        return ()
    if not console.is_terminal:
        *widths, last = (column.least for column in columns)
        return columns if _taken([*widths, min(last, _SHORT_TEXT)]) <= _WIDTH_OF_A_LIST else ()
    telling = [column for column in columns if not column.is_shared]
    for listed in (columns, telling):
        if _taken(column.least for column in listed) <= console.width:
            return listed
    if n_rows * len(columns) <= MOST_ROWS:
        return ()
    while _taken(column.least for column in telling) > console.width:
        telling.pop()
    return telling


def _table(style: Table, columns: Sequence[_Column], names: Iterable[str]) -> Table:
    for column, name in zip(columns, names, strict=True):
        style.add_column(
            Text(name),
            justify="right" if column.is_numeric else "left",
            no_wrap=not column.is_folded,
            overflow="fold",
        )
    for row in zip(*(column.cells for column in columns), strict=True):
        style.add_row(*map(Text, row))
    return style


def _print_shared(console: Console, columns: Sequence[_Column]) -> None:
    """Print once the values that all rows share."""
    if columns:
        said = ", ".join(f"{column.name} {column.cells[0] or 'empty'}" for column in columns)
        console.print(Text(f"in every row: {' '.join(said.splitlines())}", style="dim"))


def _print_list(console: Console, columns: Sequence[_Column]) -> None:
    """Print each row on one line. On a terminal rich folds the texts, the longest first."""
    if not console.is_terminal:
        console.width = max(_WIDTH_OF_A_LIST, _taken(column.least for column in columns))
    longest = max(cell_len(column.name) for column in columns)
    for most in range(max(_SHORT_NAME, min(longest, _WIDTH_OF_A_LIST)), _SHORT_NAME - 1, -1):
        names = [column.wrapped_name(most) for column in columns]
        widths = (
            max(_width(name), column.of_cells) for name, column in zip(names, columns, strict=True)
        )
        if _taken(widths) <= console.width:
            break
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, padding=(0, 1, 0, 0), pad_edge=False)
    with console.capture() as laid_out:
        console.print(_table(table, columns, names))
    # A long text at the end of one row is not filled up with spaces in every other row.
    console.out("\n".join(map(str.rstrip, laid_out.get().splitlines())), highlight=False)


def _print_records(console: Console, columns: Sequence[_Column], n_rows: int) -> None:
    """Print each row with one field on each line. A table of rich would take six times as long."""
    start = min(max(cell_len(column.name) for column in columns) + _GAP, console.width // 2)
    for place in range(n_rows):
        if n_rows > 1:
            console.rule(Text(f"{place + 1} of {n_rows}"), align="left", style="none")
        fields = (
            (
                _folded(console, column.name, start - _GAP),
                _folded(console, column.cells[place], console.width - start),
            )
            for column in columns
        )
        lines = (
            set_cell_size(name, start) + text
            for names, texts in fields
            for name, text in zip_longest(names, texts, fillvalue="")
        )
        console.out("\n".join(map(str.rstrip, lines)), highlight=False)
    if not n_rows:
        console.print(Text(", ".join(column.name for column in columns)))
        console.print(Text("no rows", style="dim"))


def _folded(console: Console, text: str, width: int) -> list[str]:
    return [line.plain for line in Text(text).wrap(console, max(width, 1), overflow="fold")]
