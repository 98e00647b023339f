"""What people see: remarks on standard error, results on standard output."""

import csv
import json
import math
import re
import sys
from collections.abc import Iterable, Sequence
from datetime import date, datetime
from decimal import Decimal

from rich.console import Console
from rich.table import Table
from rich.text import Text

from poolhouse.option_values import SPREADSHEET
from poolhouse.printable import one_line, printable

_UNLIMITED = 100_000
# OWASP, "CSV injection": an apostrophe before these makes the cell a text. The last four are wide
# forms of the first, which some spreadsheets take for them.
_STARTS_OF_FORMULAS = ("=", "+", "-", "@", "\t", "\r", "\n", *"\uff1d\uff0b\uff0d\uff20")
_SMALLEST_SHOWN = 0.0005
_NOT_ASCII = re.compile(r"[^\n -~]")
_A_NUMBER = re.compile(r"[-+]?[0-9]*\.?[0-9]+([eE][-+]?[0-9]+)?")

_RECORD_END = "\r\n"

remarks = Console(stderr=True, highlight=False)


def remark(text: str, style: str = "") -> None:
    """Print a line about the work, not a result of it."""
    remarks.print(Text(one_line(text), style=style), soft_wrap=True)


def write_rows(columns: Sequence[str], rows: Iterable[Sequence[object]], output: str) -> None:
    """Write a result to standard output as a table, as CSV or as a JSON list of objects.

    CSV and JSON hold the digits of every number; a nested value is JSON in a cell of CSV, too.
    What a terminal would obey is escaped in JSON, and replaced in tables; in CSV, which has no
    escapes, it is replaced where standard output is a terminal.
    """
    if output in ("csv", SPREADSHEET):
        guarded = _guarded if output == SPREADSHEET else _as_it_is
        # With this line end the writer quotes what holds either part of it.
        writer = csv.writer(_Records(), lineterminator=_RECORD_END)
        writer.writerow(map(guarded, columns))
        writer.writerows((guarded(_as_cell(value)) for value in row) for row in rows)
    elif output == "json":
        names = _distinct(columns)
        objects = [dict(zip(names, row, strict=True)) for row in rows]
        text = _json_text(objects, indent=2)
        sys.stdout.write(f"{_NOT_ASCII.sub(_escaped_in_json, text)}\n")
    else:
        write_table(columns, rows)


def _is_terminal() -> bool:
    return sys.stdout.isatty()


class _Records:
    """Standard output, for records of CSV; less what it would obey, where it is a terminal."""

    def write(self, record: str) -> int:
        """Write a record."""
        text = record.removesuffix(_RECORD_END)
        if _is_terminal():
            text = "\n".join(map(printable, text.split("\n")))
        return sys.stdout.write(f"{text}\n")


def _escaped_in_json(match: re.Match[str]) -> str:
    char = match.group()
    is_shown = char.isprintable() and (sys.stdout.encoding or "").lower().startswith("utf")
    return char if is_shown else json.dumps(char)[1:-1]


def _distinct(columns: Sequence[str]) -> list[str]:
    """Add numbers to names that columns share, since an object has each name once."""
    names: list[str] = []
    for column in columns:
        name, number = column, 1
        while name in names:
            name, number = f"{column}_{number}", number + 1
        names.append(name)
    return names


def _as_cell(value: object) -> object:
    """Spell what has a spelling in JSON alone, and leave the rest to the writer."""
    if isinstance(value, Decimal):
        return format(value, "f")
    return _json_text(value) if isinstance(value, dict | list | tuple) else value


def _as_it_is(value: object) -> object:
    return value


def _guarded(value: object) -> object:
    """Keep a spreadsheet from running a text of the data as a formula."""
    is_formula = isinstance(value, str) and value.startswith(_STARTS_OF_FORMULAS)
    return f"'{value}" if is_formula and not _A_NUMBER.fullmatch(str(value)) else value


def write_table(
    columns: Sequence[str], rows: Iterable[Sequence[object]], title: str | None = None
) -> None:
    """Print a table for people: numbers to the right, as wide as it needs where output is piped."""
    table = Table(title=title, title_justify="left")
    rows = [tuple(row) for row in rows]
    for position, column in enumerate(columns):
        is_numeric = any(isinstance(row[position], int | float | Decimal) for row in rows)
        table.add_column(
            Text(printable(column)), justify="right" if is_numeric else "left", overflow="fold"
        )
    for row in rows:
        table.add_row(*(Text(as_text(value)) for value in row))
    console = Console(highlight=False)
    natural = Console(width=_UNLIMITED).measure(table).maximum
    if not console.is_terminal:
        console = Console(highlight=False, width=natural)
    elif natural > console.width and title is None:
        _print_records(console, columns, rows)
        return
    console.print(table)


def _print_records(
    console: Console, columns: Sequence[str], rows: Sequence[Sequence[object]]
) -> None:
    """Print a field a line, where a table would not fit the terminal."""
    for number, row in enumerate(rows, start=1):
        console.print(Text(f"-- {number} of {len(rows)} --", style="dim"))
        record = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
        for column, value in zip(columns, row, strict=True):
            record.add_row(Text(printable(column)), Text(as_text(value)))
        console.print(record)


def as_text(value: object) -> str:
    """Spell a value as people read it: what a terminal would obey is replaced."""
    if value is None:
        return ""
    if isinstance(value, float):
        # Four decimals, as the field prints scores; digits where these would show none.
        is_shown = value == 0 or abs(value) >= _SMALLEST_SHOWN
        return f"{value:.4f}" if is_shown else f"{value:.2e}"
    if isinstance(value, datetime):
        return value.strftime("%Y-%m-%d %H:%M:%S")
    if isinstance(value, dict | list | tuple):
        value = _json_text(value)
    return "\n".join(map(printable, str(value).splitlines()))


def _json_text(value: object, indent: int | None = None) -> str:
    """Write JSON in which a decimal is a number with all its digits."""
    import simplejson  # noqa: PLC0415 - most results have none

    return str(
        simplejson.dumps(
            _as_json(value), indent=indent, ensure_ascii=False, use_decimal=True, allow_nan=False
        )
    )


def _as_json(value: object) -> object:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, datetime | date):
        return value.isoformat()
    if isinstance(value, dict):
        return {str(key): _as_json(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_as_json(part) for part in value]
    if value is None or isinstance(value, str | int | bool | Decimal):
        return value
    return str(value)
