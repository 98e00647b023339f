"""Tables in Markdown."""

import re
from collections.abc import Iterable, Sequence

from poolhouse.output.printable import one_line
from poolhouse.output.titled_tables import Column, Number, TitledTable, are_numeric, cell_text, flat

# Characters with a meaning within a line: of CommonMark, of its tables, and of mathematics.
_ESCAPED = re.compile(r"([\\`*_\[\]<>#|~&$])")


def in_markdown(text: str) -> str:
    """Escape a text for a cell or a line of Markdown (CommonMark, and its tables)."""
    return _ESCAPED.sub(r"\\\1", text)


def markdown(tables: Iterable[TitledTable]) -> str:
    """Write tables in Markdown, each below its title."""
    return "\n".join(_table(*table) for table in tables)


def _table(title: str, columns: Sequence[Column], rows: Sequence[Sequence[object]]) -> str:
    lines = [f"**{in_markdown(one_line(title))}**", ""] if title else []
    lines.append(_piped(in_markdown(flat(column)) for column in columns))
    lines.append(_piped("---:" if is_number else "---" for is_number in are_numeric(columns, rows)))
    lines += [_piped(_cell(value) for value in row) for row in rows]
    return "\n".join([*lines, ""])


def _cell(value: object) -> str:
    if isinstance(value, Number):
        bold = f"**{value.digits}**" if value.is_bold else value.digits
        return f"{bold}<sup>{in_markdown(value.marks)}</sup>" if value.marks else bold
    return cell_text(value, in_markdown)


def _piped(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"
