"""Tables for people. A table that is wider than the terminal is laid out in the terminal's width.

A number is never folded. A pipe or a file gets all rows, each on one line, which `head` and `grep`
take whole. Rows wider than _WIDTH_OF_A_LIST are records with one field on each line. On a terminal
only a single row is a record.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from functools import cached_property
from typing import Literal

from rich import box
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from poolhouse.output.cells import as_text
from poolhouse.output.printable import printable

Row = Sequence[object]

# Rows of a long result that a terminal shows: two or three screens.
MOST_ROWS = 100
# Columns of a pipe or a file, as in a log or a mail.
WIDTH_OF_A_PIPE = 100
# A row of at most this width stays on one line in a pipe or a file. A wider row has values so far
# from their names that it is better read as a record. A text at its end may go beyond.
_WIDTH_OF_A_LIST = 2 * WIDTH_OF_A_PIPE

_SEE_ALL = "to see all: --output FILE, or a pipe (| less)"

_UNLIMITED = 100_000
# Spaces between two columns without a line between them.
_GAP = 2
# A longer word may be folded.
_LONGEST_WORD = 24
# A name of at most this width is not wrapped.
_SHORT_NAME = 8
# A text of at most the width _NARROW is not wrapped. A wider text has at most _MOST_LINES lines, as
# long as its column is at most _WIDE wide.
_NARROW = 12
_MOST_LINES = 4
_WIDE = 40
_LEAST_OF_A_TIME = len("2026-01-01")


def print_table(console: Console, columns: Sequence[str], rows: Sequence[Row], title: str) -> None:
    """Print a table. A terminal gets the first rows of a long one, a pipe or a file all rows."""
    shown = rows[:MOST_ROWS] if console.is_terminal else rows
    wide = [_Column.of(name, shown, place) for place, name in enumerate(columns)]
    boxed = _boxed(wide, len(shown))
    natural = Console(width=_UNLIMITED).measure(boxed).maximum
    if not console.is_terminal:
        console.width = WIDTH_OF_A_PIPE
    if title:
        console.print(Text(printable(title), style="italic"))
    if natural <= console.width:
        console.print(boxed)
    elif not console.is_terminal:
        _print_lines_or_records(console, wide, len(shown))
    else:
        short = [
            _Column.of(name, shown, place, is_short=True) for place, name in enumerate(columns)
        ]
        _print_fitted(console, short, len(shown))
    if len(shown) < len(rows):
        console.print(Text(f"{len(shown)} of {len(rows)} rows; {_SEE_ALL}", style="dim"))


@dataclass(frozen=True)
class _Column:
    """A column of a table, with its cells as text."""

    name: str
    cells: tuple[str, ...]
    is_numeric: bool
    is_time: bool

    @classmethod
    def of(cls, name: str, rows: Sequence[Row], place: int, *, is_short: bool = False) -> "_Column":
        values = [row[place] for row in rows]
        return cls(
            printable(name),
            tuple(as_text(value, is_short=is_short) for value in values),
            any(isinstance(value, int | float | Decimal) for value in values),
            any(isinstance(value, datetime) for value in values),
        )

    @cached_property
    def natural(self) -> int:
        """The least width in which no line of the column is wrapped."""
        return max(cell_len(self.name), self._widest_cell)

    @cached_property
    def _widest_cell(self) -> int:
        return max((cell_len(line) for cell in self.cells for line in cell.split("\n")), default=0)

    @cached_property
    def least(self) -> int:
        """The least width in which the column can be read."""
        if self.is_numeric:
            return self.least_unwrapped
        if self.is_time:
            return max(self.least_of_name, _LEAST_OF_A_TIME)
        longest_word = max(
            (cell_len(word) for cell in self.cells for word in cell.split()), default=0
        )
        in_few_lines = -(-self._widest_cell // _MOST_LINES)
        of_cells = max(min(self._widest_cell, _NARROW), min(in_few_lines, _WIDE))
        return max(self.least_of_name, min(longest_word, _LONGEST_WORD), of_cells)

    @property
    def least_unwrapped(self) -> int:
        """The least width in which no cell is wrapped."""
        return max(self.least_of_name, self._widest_cell)

    @property
    def least_of_name(self) -> int:
        """The least width in which the name can be read."""
        return max(cell_len(part) for part in _parts(self.name))

    @property
    def justify(self) -> Literal["left", "right"]:
        """The alignment of the values."""
        return "right" if self.is_numeric else "left"

    @property
    def value_of_all(self) -> str | None:
        """The value that all rows share, or None."""
        return self.cells[0] if len(set(self.cells)) == 1 else None

    def header(self, width: int) -> str:
        """Wrap the name."""
        return _wrapped(self.name, width)

    def cell(self, place: int, width: int) -> str:
        """Wrap words that are wider than the column; the table itself wraps at spaces."""
        words = self.cells[place].split(" ")
        return " ".join(_wrapped(word, width) if cell_len(word) > width else word for word in words)


def _wrapped(name: str, width: int) -> str:
    """Wrap a name, after underscores and at spaces."""
    lines = [""]
    for part in _parts(name):
        if cell_len(lines[-1] + part.rstrip()) > width and lines[-1]:
            lines.append("")
        lines[-1] += part
    return "\n".join(line.rstrip() for line in lines)


def _parts(name: str) -> list[str]:
    """Divide a name where it may be wrapped; a part keeps the underscore or space at its end."""
    if cell_len(name) <= _SHORT_NAME:
        return [name]
    return name.replace("_", "_\0").replace(" ", " \0").split("\0")


def _boxed(columns: Sequence[_Column], n_rows: int) -> Table:
    table = Table()
    for column in columns:
        table.add_column(Text(column.name), justify=column.justify, overflow="fold")
    for place in range(n_rows):
        table.add_row(*(Text(column.cells[place]) for column in columns))
    return table


def _print_fitted(console: Console, columns: Sequence[_Column], n_rows: int) -> None:
    """Print a table that is wider than the terminal: wrapped, or in blocks of columns.

    Values that all rows share are printed once, if that saves width.
    """
    width = console.width
    if n_rows == 1:
        _print_record(console, columns, 0)
        return
    if not _fit(columns, width) and n_rows:
        said = [column for column in columns if column.value_of_all is None]
        if said:
            _print_values_of_all(console, columns)
            columns = said
    blocks = list(_blocks(columns, width))
    n_shown = max(1, MOST_ROWS // max(n_rows, 1))
    for number, block in enumerate(blocks[:n_shown]):
        if number:
            console.print()
        console.print(_lean(block, _widths(block, width), n_rows))
    left_out = [column.name for block in blocks[n_shown:] for column in block]
    names = [name for name in left_out if all(name != column.name for column in blocks[0])]
    if names:
        text = f"{len(names)} more columns ({', '.join(names)}); {_SEE_ALL}"
        console.print(Text(text, style="dim"))


def _print_lines_or_records(console: Console, columns: Sequence[_Column], n_rows: int) -> None:
    """Print each row on one line if it is short enough for one, else each as a record."""
    widths = [column.least_unwrapped for column in columns]
    if _taken(widths) <= console.width:
        console.print(_lean(columns, _widened(columns, widths, console.width), n_rows))
        return
    if n_rows > 1 and _taken(_without_text_at_end(columns, widths)) <= _WIDTH_OF_A_LIST:
        _print_list(console, columns, widths, n_rows)
        return
    for place in range(n_rows):
        if n_rows > 1:
            _print_heading(console, f"{place + 1} of {n_rows}")
        _print_record(console, columns, place)
    if not n_rows:
        console.print(Text(", ".join(column.name for column in columns)))
        console.print(Text("no rows", style="dim"))


def _without_text_at_end(columns: Sequence[_Column], widths: Sequence[int]) -> Sequence[int]:
    """Return the widths, of a text in the last column only that of its name."""
    last = columns[-1]
    return widths if last.is_numeric else [*widths[:-1], last.least_of_name]


def _print_list(
    console: Console, columns: Sequence[_Column], least: Sequence[int], n_rows: int
) -> None:
    """Print each row on one line that is wider than a pipe."""
    console.width = max(_taken(least), _WIDTH_OF_A_LIST)
    with console.capture() as laid_out:
        console.print(_lean(columns, _widened(columns, least, console.width), n_rows))
    # A long text at the end of one row is not filled up with spaces in every other row.
    console.out("\n".join(map(str.rstrip, laid_out.get().splitlines())), highlight=False)


def _print_heading(console: Console, text: str) -> None:
    line = "-" if console.options.ascii_only else "─"
    console.out(f"{text} {line * (console.width - cell_len(text) - 1)}", highlight=False)


def _print_record(console: Console, columns: Sequence[_Column], place: int) -> None:
    """Print the row at a place, one field on each line."""
    fields = [(column.name, column.cells[place]) for column in columns]
    start = max(cell_len(name) for name, _ in fields) + _GAP
    if all("\n" not in text and start + cell_len(text) <= console.width for _, text in fields):
        # Many short records: laying out each as a table would take twice the time of the query.
        lines = (f"{name}{' ' * (start - cell_len(name))}{text}".rstrip() for name, text in fields)
        console.out("\n".join(lines), highlight=False)
        return
    record = Table(box=None, show_header=False, padding=(0, _GAP, 0, 0))
    record.add_column(overflow="fold", max_width=console.width // 2)
    record.add_column(overflow="fold")
    for name, text in fields:
        record.add_row(Text(name), Text(text))
    console.print(record)


def _print_values_of_all(console: Console, columns: Sequence[_Column]) -> None:
    """Print once the values that all rows share."""
    values = [f"{each.name} {each.value_of_all}" for each in columns if each.value_of_all]
    empty = [each.name for each in columns if each.value_of_all == ""]
    for words, items in (("in every row", values), ("empty", empty)):
        if items:
            text = " ".join(", ".join(items).split("\n"))
            console.print(Text(f"{words}: {text}", style="dim"))


def _fit(columns: Sequence[_Column], width: int) -> bool:
    return _taken(column.least for column in columns) <= width


def _taken(widths: Iterator[int] | Sequence[int]) -> int:
    """Count the width of columns, with the gaps between them."""
    return sum(each + _GAP for each in widths) - _GAP


def _blocks(columns: Sequence[_Column], width: int) -> Iterator[list[_Column]]:
    """Divide columns into blocks that fit; each block begins with the key columns."""
    if _fit(columns, width):
        yield list(columns)
        return
    key = _key(columns, width)
    block = list(key)
    for column in columns[len(key) :]:
        if len(block) > len(key) and not _fit([*block, column], width):
            yield block
            block = list(key)
        block.append(column)
    yield block


def _key(columns: Sequence[_Column], width: int) -> Sequence[_Column]:
    """Return the first columns that tell the rows apart; only the first, if many are needed."""
    for n_columns in range(1, len(columns)):
        key = columns[:n_columns]
        if _taken([column.least for column in key]) > width // 2:
            break
        rows = list(zip(*(column.cells for column in key), strict=True))
        if len(set(rows)) == len(rows):
            return key
    return columns[:1] if len(columns) > 1 and columns[0].least <= width // 2 else ()


def _widths(columns: Sequence[_Column], width: int) -> list[int]:
    """Divide the width: each column gets its least width; the rest goes where it saves lines."""
    widths = [column.least for column in columns]
    while _taken(widths) > width and max(widths) > 1:
        widths[widths.index(max(widths))] -= 1  # a value that is wider than the terminal
    return _widened(columns, widths, width)


def _widened(columns: Sequence[_Column], least: Sequence[int], width: int) -> list[int]:
    """Give the rest of the width to the columns where it saves lines."""
    widths = list(least)
    for _ in range(width - _taken(widths)):
        lines = [
            column.natural / each if each < column.natural else 0
            for column, each in zip(columns, widths, strict=True)
        ]
        if not any(lines):
            break
        widths[lines.index(max(lines))] += 1
    return widths


def _lean(columns: Sequence[_Column], widths: Sequence[int], n_rows: int) -> Table:
    """Lay out a table without lines between its columns."""
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, padding=(0, 1, 0, 0), pad_edge=False)
    for column, width in zip(columns, widths, strict=True):
        table.add_column(
            Text(column.header(width)),
            justify=column.justify,
            width=width,
            overflow="fold",
        )
    sized = list(zip(columns, widths, strict=True))
    for place in range(n_rows):
        table.add_row(*(Text(column.cell(place, width)) for column, width in sized))
    return table
