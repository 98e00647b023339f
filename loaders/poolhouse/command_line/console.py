"""Output for people: remarks on standard error, results on standard output."""

import csv
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from poolhouse.command_line.tables import WIDTH_OF_A_PIPE, print_table
from poolhouse.option_values import SPREADSHEET
from poolhouse.output.cells import json_text, safe_json
from poolhouse.output.html import html, in_html
from poolhouse.output.latex import in_latex, latex
from poolhouse.output.markdown import in_markdown, markdown
from poolhouse.output.printable import one_line, printable
from poolhouse.output.spreadsheets import guarded
from poolhouse.output.titled_tables import TitledTable, plain

_INDENT = 2
_RECORD_END = "\r\n"

remarks = Console(stderr=True, highlight=False)


def remark(text: str, style: str = "") -> None:
    """Print a line about the work, such as a note, on standard error."""
    remarks.print(Text(one_line(text), style=style), soft_wrap=True)


def notes(texts: Iterable[str]) -> None:
    """Print remarks on a result, each in a line on standard error."""
    for text in texts:
        remark(f"note: {text}", "yellow")


def write_rows(
    columns: Sequence[str], rows: Iterable[Sequence[object]], output: str, title: str = ""
) -> None:
    """Write a result to standard output: a table, CSV, a JSON list of objects, or a document.

    CSV and JSON hold all digits of every number; a nested value is JSON in a cell of CSV.
    Characters that a terminal would obey are escaped in JSON and replaced in tables. CSV has no
    escapes: there they are replaced if standard output is a terminal. `title` is for tables.
    """
    if output in ("csv", SPREADSHEET):
        guard = guarded if output == SPREADSHEET else _as_it_is
        # With this line end the writer quotes what holds either part of it.
        writer = csv.writer(_Records(), lineterminator=_RECORD_END)
        writer.writerow(map(guard, columns))
        writer.writerows((guard(_as_cell(value)) for value in row) for row in rows)
    elif output == "json":
        names = _distinct(columns)
        write_json([dict(zip(names, row, strict=True)) for row in rows])
    else:
        write_tables([(title, columns, list(rows))], output)


def write_tables(
    tables: Iterable[TitledTable], output: str, label: str = "", *, is_column: bool = False
) -> None:
    """Write tables to standard output, each below its title: as text, Markdown, LaTeX or HTML.

    `label` is the label of a table in LaTeX, where `is_column` fits it into one of two columns.
    """
    if output == "markdown":
        sys.stdout.write(markdown(tables))
    elif output == "latex":
        sys.stdout.write(latex(tables, label, is_column=is_column))
    elif output == "html":
        sys.stdout.write(html(tables))
    else:
        for number, table in enumerate(tables):
            if number:
                sys.stdout.write("\n")
            title, columns, rows = plain(table)
            write_table(list(map(str, columns)), rows, title)


def write_explanations(texts: Mapping[str, Iterable[str]]) -> None:
    """Write paragraphs to standard output, each below the name that it explains."""
    shown = Console(highlight=False)
    for name, paragraphs in texts.items():
        shown.print()
        shown.print(Text(printable(name), style="bold"))
        for text in paragraphs:
            shown.print(Padding(Text(one_line(text)), (0, 0, 0, _INDENT)))


def write_paragraphs(texts: Iterable[str], output: str) -> None:
    """Write paragraphs to standard output, as `write_tables` does, each above an empty line."""
    shown = Console(highlight=False)
    shown.width = shown.width if shown.is_terminal else WIDTH_OF_A_PIPE
    for text in texts:
        if output in _PARAGRAPHS:
            escaped, form = _PARAGRAPHS[output]
            sys.stdout.write(form.format(escaped(one_line(text))))
        else:
            shown.print(Text(one_line(text)), end="\n\n")


_PARAGRAPHS: Mapping[str, tuple[Callable[[str], str], str]] = {
    "markdown": (in_markdown, "{}\n\n"),
    "latex": (in_latex, "{}\n\n"),
    "html": (in_html, "<p>{}</p>\n"),
}


def write_json(value: object) -> None:
    """Write a value to standard output as JSON."""
    is_unicode = (sys.stdout.encoding or "").lower().startswith("utf")
    sys.stdout.write(f"{safe_json(json_text(value, indent=2), is_unicode=is_unicode)}\n")


def write_lines(lines: Iterable[str]) -> None:
    """Write lines to standard output; on a terminal replace the characters that it would obey."""
    if not _is_terminal():
        sys.stdout.write("".join(f"{line}\n" for line in lines))
        return
    for line in lines:
        sys.stdout.write("\t".join(map(printable, line.split("\t"))) + "\n")


def write_sentences(texts: Iterable[str]) -> None:
    """Write texts to standard output, each in a line; on a terminal, as paragraphs in its width."""
    if Console().is_terminal:
        write_paragraphs(texts, "table")
    else:
        write_lines(map(one_line, texts))


def _is_terminal() -> bool:
    return sys.stdout.isatty()


class _Records:
    """Standard output for records of CSV; a terminal gets no characters that it would obey."""

    def write(self, record: str) -> int:
        """Write a record."""
        text = record.removesuffix(_RECORD_END)
        if _is_terminal():
            text = "\n".join(map(printable, text.split("\n")))
        return sys.stdout.write(f"{text}\n")


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
    """Return a nested value as JSON and a decimal as its digits; leave the rest to the writer."""
    if isinstance(value, Decimal):
        return format(value, "f")
    return json_text(value) if isinstance(value, dict | list | tuple) else value


def _as_it_is(value: object) -> object:
    return value


def write_table(
    columns: Sequence[str], rows: Iterable[Sequence[object]], title: str | None = None
) -> None:
    """Print a table for people: in the width of a terminal; elsewhere as wide as it needs.

    Numbers are aligned right. A terminal gets the first rows of a long result, and a line that says
    how to see all rows.
    """
    print_table(Console(highlight=False), columns, [tuple(row) for row in rows], title or "")
