"""Tables in documents, in Markdown, LaTeX and HTML. Names from files are only text."""

import html as html_escapes
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, groupby, pairwise

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


# Characters with a meaning within a line: of CommonMark, of its tables, and of mathematics.
_MARKDOWN = re.compile(r"([\\`*_\[\]<>#|~&$])")
# Two hyphens would be a dash.
_HYPHENS = re.compile("-(?=-)")
_LATEX = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "`": r"\textasciigrave{}",
    # The quotation mark of \textquotedbl is not in every encoding of fonts.
    '"': r"\texttt{\char34}",
    "↑": r"$\uparrow$",
    "↓": r"$\downarrow$",
    # At the start of a row, either one would be an argument of the end of the row before.
    "[": "{[}",
    "*": "{*}",
    **{char: f"\\{char}" for char in "&%$#_{}"},
}
_NUMBERS = (int, float, Number)
# The width of a line of the class article, and the sizes of letters that may fit into it: the width
# of a digit, and of half of the space between columns; all in points.
_LINE_WIDTH = 345
_SIZES = (
    ("", 5.0, 6),
    (r"\small", 4.63, 4),
    (r"\footnotesize", 4.25, 3),
    (r"\scriptsize", 3.98, 2),
)


def in_markdown(text: str) -> str:
    """Escape a text for a cell or a line of Markdown (CommonMark, and its tables)."""
    return _MARKDOWN.sub(r"\\\1", text)


def in_latex(text: str) -> str:
    """Escape a text for LaTeX."""
    return _HYPHENS.sub("-{}", "".join(_LATEX.get(char, char) for char in text))


def in_html(text: str) -> str:
    """Escape a text for HTML, also between quotation marks."""
    return html_escapes.escape(text)


def markdown(tables: Iterable[TitledTable]) -> str:
    """Write tables in Markdown, each below its title."""
    return "\n".join(_markdown_table(*table) for table in tables)


def latex(tables: Iterable[TitledTable], label: str = "") -> str:
    """Write tables in LaTeX, which needs the package booktabs; `label` is the label of a table."""
    return "\n".join(_latex_table(*table, label) for table in tables)


def html(tables: Iterable[TitledTable]) -> str:
    """Write tables in HTML, without the page around them."""
    return "".join(_html_table(*table) for table in tables)


def plain(table: TitledTable) -> TitledTable:
    """Return a table for a terminal: no groups of columns, and stars around bold numbers."""
    title, columns, rows = table
    aligned = [_aligned([row[place] for row in rows]) for place in range(len(columns))]
    return title, list(map(_flat, columns)), list(zip(*aligned, strict=True))


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


def _flat(column: Column) -> str:
    return column if isinstance(column, str) else " ".join(filter(None, column))


def _markdown_table(title: str, columns: Sequence[Column], rows: Sequence[Sequence[object]]) -> str:
    lines = [f"**{in_markdown(one_line(title))}**", ""] if title else []
    lines.append(_piped(in_markdown(_flat(column)) for column in columns))
    lines.append(_piped("---:" if is_number else "---" for is_number in _numeric(columns, rows)))
    lines += [_piped(_markdown_cell(value) for value in row) for row in rows]
    return "\n".join([*lines, ""])


def _markdown_cell(value: object) -> str:
    if isinstance(value, Number):
        bold = f"**{value.digits}**" if value.is_bold else value.digits
        return f"{bold}<sup>{in_markdown(value.marks)}</sup>" if value.marks else bold
    return _cell(value, in_markdown)


def _latex_table(
    title: str, columns: Sequence[Column], rows: Sequence[Sequence[object]], label: str
) -> str:
    numeric = _numeric(columns, rows)
    # Marks have a column of their own, so that decimals are below each other.
    marked = [
        any(isinstance(cell := row[place], Number) and cell.marks for row in rows)
        for place in range(len(columns))
    ]
    kinds = (
        ("r" if is_number else "l") + "@{}l" * has_marks
        for is_number, has_marks in zip(numeric, marked, strict=True)
    )
    return "\n".join(
        [
            r"\begin{table}",
            r"\centering",
            r"\setlength{\belowcaptionskip}{6pt}",
            *_latex_size(columns, rows),
            *([rf"\caption{{{in_latex(one_line(title))}}}"] if title else []),
            *([rf"\label{{{label}}}"] if label else []),
            rf"\begin{{tabular}}{{{''.join(kinds)}}}",
            r"\toprule",
            *_latex_headings(columns, marked),
            r"\midrule",
            *(_latex_row(_latex_cells(row, marked)) for row in rows),
            r"\bottomrule",
            r"\end{tabular}",
            r"\end{table}",
            "",
        ]
    )


def _latex_size(columns: Sequence[Column], rows: Sequence[Sequence[object]]) -> list[str]:
    """Return commands for the largest size in which the table fits, or for the smallest."""
    names = [column if isinstance(column, str) else column[-1] for column in columns]
    _, _, shown = plain(("", columns, rows))
    n_letters = sum(
        max(len(_cell(value, str)) for value in column)
        for column in zip(names, *shown, strict=True)
    )
    fitting = (
        (size, gap)
        for size, width, gap in _SIZES
        if n_letters * width + 2 * gap * len(columns) <= _LINE_WIDTH
    )
    size, gap = next(fitting, (_SIZES[-1][0], _SIZES[-1][2]))
    return [size, rf"\setlength{{\tabcolsep}}{{{gap}pt}}"] if size else []


def _latex_headings(columns: Sequence[Column], marked: Sequence[bool]) -> Iterator[str]:
    """Write the head: names centred above their columns, with a rule below each group."""
    widths = [1 + has_marks for has_marks in marked]
    *groups, names = _headings(columns)
    for spans in groups:
        ends = accumulate((n_columns for _, n_columns in spans), initial=0)
        places = [(sum(widths[:start]), sum(widths[:end])) for start, end in pairwise(ends)]
        named = [(name, *place) for (name, _), place in zip(spans, places, strict=True)]
        yield _latex_row(_spanned(in_latex(name), end - start) for name, start, end in named)
        yield " ".join(rf"\cmidrule(lr){{{start + 1}-{end}}}" for name, start, end in named if name)
    yield _latex_row(
        _spanned(in_latex(name), width) for (name, _), width in zip(names, widths, strict=True)
    )


def _spanned(text: str, n_columns: int) -> str:
    return rf"\multicolumn{{{n_columns}}}{{c}}{{{text}}}" if n_columns > 1 else text


def _latex_row(cells: Iterable[str]) -> str:
    return rf"{' & '.join(cells)} \\"


def _latex_cells(row: Sequence[object], marked: Sequence[bool]) -> Iterator[str]:
    """Write the cells of a row. A number needs no escapes, and has the minus of mathematics."""
    for value, has_marks in zip(row, marked, strict=True):
        number = value if isinstance(value, Number) else None
        text = number.digits if number else _cell(value, in_latex)
        if isinstance(value, _NUMBERS):
            text = text.replace("-", "$-$")
        yield rf"\textbf{{{text}}}" if number and number.is_bold else text
        if has_marks:
            marks = number.marks if number else ""
            yield rf"\textsuperscript{{{in_latex(marks)}}}" if marks else ""


def _html_table(title: str, columns: Sequence[Column], rows: Sequence[Sequence[object]]) -> str:
    *groups, names = _headings(columns)
    return "\n".join(
        [
            "<table>",
            *([f"<caption>{in_html(one_line(title))}</caption>"] if title else []),
            "<thead>",
            *(f"<tr>{''.join(_html_group(*span) for span in spans)}</tr>" for spans in groups),
            f"<tr>{''.join(map(_html_name, names))}</tr>",
            "</thead>",
            "<tbody>",
            *(f"<tr>{''.join(_html_cells(row))}</tr>" for row in rows),
            "</tbody>",
            "</table>",
            "",
        ]
    )


def _html_name(span: tuple[str, int]) -> str:
    return f'<th scope="col">{in_html(span[0])}</th>'


def _html_group(name: str, n_columns: int) -> str:
    span = f' colspan="{n_columns}"' if n_columns > 1 else ""
    return f'<th scope="colgroup"{span}>{in_html(name)}</th>' if name else f"<td{span}></td>"


def _html_cells(row: Sequence[object]) -> Iterator[str]:
    """Write the cells of a row; the first one names the row."""
    first, *others = row
    yield f'<th scope="row">{_cell(first, in_html)}</th>'
    for value in others:
        if isinstance(value, Number):
            digits = f"<strong>{value.digits}</strong>" if value.is_bold else value.digits
            marks = f"<sup>{in_html(value.marks)}</sup>" if value.marks else ""
            yield f"<td>{digits}{marks}</td>"
        else:
            yield f"<td>{_cell(value, in_html)}</td>"


def _headings(columns: Sequence[Column]) -> list[list[tuple[str, int]]]:
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


def _piped(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _cell(value: object, escaped: Callable[[str], str]) -> str:
    return escaped(one_line(" ".join(as_text(value).splitlines())))


def _numeric(columns: Sequence[Column], rows: Sequence[Sequence[object]]) -> list[bool]:
    return [
        any(isinstance(row[position], _NUMBERS) for row in rows) for position in range(len(columns))
    ]
