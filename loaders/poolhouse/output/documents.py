"""Tables in documents, in Markdown and LaTeX. Names from files are only text."""

import re
from collections.abc import Callable, Iterable, Sequence

from poolhouse.output.cells import as_text
from poolhouse.output.printable import one_line

# Title, columns and rows. The title may be empty.
TitledTable = tuple[str, Sequence[str], Sequence[Sequence[object]]]

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
    '"': r"\textquotedbl{}",
    **{char: f"\\{char}" for char in "&%$#_{}"},
}
_NUMBERS = int | float


def in_markdown(text: str) -> str:
    """Escape a text for a cell or a line of Markdown (CommonMark, and its tables)."""
    return _MARKDOWN.sub(r"\\\1", text)


def in_latex(text: str) -> str:
    """Escape a text for LaTeX."""
    return _HYPHENS.sub("-{}", "".join(_LATEX.get(char, char) for char in text))


def markdown(tables: Iterable[TitledTable]) -> str:
    """Write tables in Markdown, each below its title."""
    return "\n".join(_markdown_table(*table) for table in tables)


def latex(tables: Iterable[TitledTable]) -> str:
    """Write tables in LaTeX, which needs no package for them."""
    return "\n".join(_latex_table(*table) for table in tables)


def _markdown_table(title: str, columns: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    lines = [f"**{in_markdown(one_line(title))}**", ""] if title else []
    lines.append(_piped(map(in_markdown, columns)))
    lines.append(_piped("---:" if is_number else "---" for is_number in _numeric(columns, rows)))
    lines += [_piped(_cells(row, in_markdown)) for row in rows]
    return "\n".join([*lines, ""])


def _latex_table(title: str, columns: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    kinds = "".join("r" if is_number else "l" for is_number in _numeric(columns, rows))
    return "\n".join(
        [
            r"\begin{table}",
            *([rf"\caption{{{in_latex(one_line(title))}}}"] if title else []),
            rf"\begin{{tabular}}{{{kinds}}}",
            r"\hline",
            rf"{' & '.join(map(in_latex, columns))} \\",
            r"\hline",
            *(rf"{' & '.join(_cells(row, in_latex))} \\" for row in rows),
            r"\hline",
            r"\end{tabular}",
            r"\end{table}",
            "",
        ]
    )


def _piped(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _cells(row: Sequence[object], escaped: Callable[[str], str]) -> list[str]:
    """Write the values of a row. A number needs no escapes, and keeps its minus sign."""
    texts = [one_line(" ".join(as_text(value).splitlines())) for value in row]
    return [
        (text.replace("-", "$-$") if escaped is in_latex else text)
        if isinstance(value, _NUMBERS)
        else escaped(text)
        for value, text in zip(row, texts, strict=True)
    ]


def _numeric(columns: Sequence[str], rows: Sequence[Sequence[object]]) -> list[bool]:
    return [
        any(isinstance(row[position], _NUMBERS) for row in rows) for position in range(len(columns))
    ]
