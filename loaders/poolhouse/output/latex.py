"""Tables in LaTeX."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, groupby, pairwise
from string import ascii_uppercase

from poolhouse.output.printable import one_line
from poolhouse.output.titled_tables import (
    NUMBERS,
    Column,
    Number,
    TitledTable,
    are_numeric,
    cell_text,
    headings,
    plain,
)

# Two hyphens would be a dash.
_HYPHENS = re.compile("-(?=-)")
_ESCAPES = {
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
    "†": r"$\dagger$",
    # At the start of a row, either one would be an argument of the end of the row before.
    "[": "{[}",
    "*": "{*}",
    **{char: f"\\{char}" for char in "&%$#_{}"},
}
# The width of a line of the class article and of one of its two columns, which those of acmart and
# IEEEtran exceed, and the sizes of letters that may fit into it: the width of a digit, and of half
# of the space between columns; all in points.
_LINE_WIDTH = 345
_COLUMN_WIDTH = 229
_SIZES = (
    ("", 5.0, 6),
    (r"\small", 4.63, 4),
    (r"\footnotesize", 4.25, 3),
    (r"\scriptsize", 3.98, 2),
)
_FOOTNOTES = _SIZES[2]
# The widths of letters in digits; other letters are _USUAL. A raised mark is smaller.
_LETTERS = {
    **dict.fromkeys(ascii_uppercase, 1.5),
    **dict.fromkeys("MWmw@%", 2.0),
    **dict.fromkeys("fijlrt.,:;!|()[]'` -", 0.8),
}
_USUAL, _BOLD, _MARK = 1.1, 1.15, 0.8


def in_latex(text: str) -> str:
    """Escape a text for LaTeX."""
    return _HYPHENS.sub("-{}", "".join(_ESCAPES.get(char, char) for char in text))


def latex(tables: Iterable[TitledTable], label: str = "", *, is_column: bool = False) -> str:
    """Write tables in LaTeX, which needs the package booktabs; `label` is the label of a table.

    `is_column` fits them into a column of an article with two columns: what is too wide goes on
    below, beside the names of the rows again.
    """
    return "\n".join(_table(*table, label, is_column=is_column) for table in tables)


def _table(
    title: str,
    columns: Sequence[Column],
    rows: Sequence[Sequence[object]],
    label: str,
    *,
    is_column: bool,
) -> str:
    blocks = [tuple(range(len(columns)))]
    size = _size(columns, rows)
    if is_column:
        blocks, size = _in_a_column(columns, rows)
    parts = [
        _tabular(
            [columns[place] for place in block],
            [[row[place] for place in block] for row in rows],
            "@{}" if is_column else "",
        )
        for block in blocks
    ]
    return "\n".join(
        [
            r"\begin{table}",
            r"\centering",
            # Names do not break.
            *([r"\sloppy"] if is_column else []),
            r"\setlength{\belowcaptionskip}{6pt}",
            *size,
            *([rf"\caption{{{in_latex(one_line(title))}}}"] if title else []),
            *([rf"\label{{{label}}}"] if label else []),
            "\n\n\\medskip\n".join(parts),
            r"\end{table}",
            "",
        ]
    )


def _tabular(columns: Sequence[Column], rows: Sequence[Sequence[object]], edge: str) -> str:
    """Write the rows and their head; `edge` is the kind of space beside them."""
    numeric = are_numeric(columns, rows)
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
            rf"\begin{{tabular}}{{{edge}{''.join(kinds)}{edge}}}",
            r"\toprule",
            *_head(columns, marked),
            r"\midrule",
            *(_row(_cells(row, marked)) for row in rows),
            r"\bottomrule",
            r"\end{tabular}",
        ]
    )


def _in_a_column(
    columns: Sequence[Column], rows: Sequence[Sequence[object]]
) -> tuple[list[tuple[int, ...]], list[str]]:
    """Return blocks of columns that fit, each with the first one, and commands for their size.

    A block is as many groups of columns as fit in footnotes' letters.
    """
    names = [column if isinstance(column, str) else column[-1] for column in columns]
    widths = [
        max(_text_width(name), *(_cell_width(row[place]) for row in rows))
        for place, name in enumerate(names)
    ]
    groups = [(each,) if isinstance(each, str) else each[:-1] or each for each in columns]

    def fits(block: tuple[int, ...], size: tuple[str, float, int]) -> bool:
        _, width, gap = size
        digits = sum(widths[place] for place in block) + _overhang(
            [columns[place] for place in block], [widths[place] for place in block]
        )
        return digits * width + 2 * gap * (len(block) - 1) <= _COLUMN_WIDTH

    blocks: list[tuple[int, ...]] = [(0,)]
    for _, places in groupby(range(1, len(columns)), groups.__getitem__):
        group = tuple(places)
        fitting = (*blocks[-1], *group)
        if blocks == [(0,)] or fits(fitting, _FOOTNOTES):
            blocks[-1] = fitting
        else:
            blocks.append((0, *group))
    sizes = (each for each in _SIZES[1:] if all(fits(block, each) for block in blocks))
    size, _, gap = next(sizes, _SIZES[-1])
    return blocks, [size, rf"\setlength{{\tabcolsep}}{{{gap}pt}}"]


def _overhang(columns: Sequence[Column], widths: Sequence[float]) -> float:
    """Return by how much the names of groups are wider than their columns, in digits."""
    wider = 0.0
    for spans in headings(columns):
        ends = accumulate((n_columns for _, n_columns in spans), initial=0)
        wider = max(
            wider,
            sum(
                max(0.0, _text_width(name) - sum(widths[start:end]))
                for (name, _), (start, end) in zip(spans, pairwise(ends), strict=True)
            ),
        )
    return wider


def _cell_width(value: object) -> float:
    """Return the width of a cell in digits."""
    if isinstance(value, Number):
        digits = len(value.digits) * (_BOLD if value.is_bold else 1)
        return digits + _text_width(value.marks) * _MARK
    return _text_width(cell_text(value, str))


def _text_width(text: str) -> float:
    return sum(_LETTERS.get(letter, _USUAL) for letter in text)


def _size(columns: Sequence[Column], rows: Sequence[Sequence[object]]) -> list[str]:
    """Return commands for the largest size in which the table fits, or for the smallest."""
    names = [column if isinstance(column, str) else column[-1] for column in columns]
    _, _, shown = plain(("", columns, rows))
    n_letters = sum(
        max(len(cell_text(value, str)) for value in column)
        for column in zip(names, *shown, strict=True)
    )
    fitting = (
        (size, gap)
        for size, width, gap in _SIZES
        if n_letters * width + 2 * gap * len(columns) <= _LINE_WIDTH
    )
    size, gap = next(fitting, (_SIZES[-1][0], _SIZES[-1][2]))
    return [size, rf"\setlength{{\tabcolsep}}{{{gap}pt}}"] if size else []


def _head(columns: Sequence[Column], marked: Sequence[bool]) -> Iterator[str]:
    """Write the head: names centred above their columns, with a rule below each group."""
    widths = [1 + has_marks for has_marks in marked]
    *groups, names = headings(columns)
    for spans in groups:
        ends = accumulate((n_columns for _, n_columns in spans), initial=0)
        places = [(sum(widths[:start]), sum(widths[:end])) for start, end in pairwise(ends)]
        named = [(name, *place) for (name, _), place in zip(spans, places, strict=True)]
        yield _row(_spanned(in_latex(name), end - start) for name, start, end in named)
        yield " ".join(rf"\cmidrule(lr){{{start + 1}-{end}}}" for name, start, end in named if name)
    yield _row(
        _spanned(in_latex(name), width) for (name, _), width in zip(names, widths, strict=True)
    )


def _spanned(text: str, n_columns: int) -> str:
    return rf"\multicolumn{{{n_columns}}}{{c}}{{{text}}}" if n_columns > 1 else text


def _row(cells: Iterable[str]) -> str:
    return rf"{' & '.join(cells)} \\"


def _cells(row: Sequence[object], marked: Sequence[bool]) -> Iterator[str]:
    """Write the cells of a row. A number needs no escapes, and has the minus of mathematics."""
    for value, has_marks in zip(row, marked, strict=True):
        number = value if isinstance(value, Number) else None
        text = number.digits if number else cell_text(value, in_latex)
        if isinstance(value, NUMBERS):
            text = text.replace("-", "$-$")
        yield rf"\textbf{{{text}}}" if number and number.is_bold else text
        if has_marks:
            marks = number.marks if number else ""
            yield rf"\textsuperscript{{{in_latex(marks)}}}" if marks else ""
