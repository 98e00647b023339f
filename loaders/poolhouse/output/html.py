"""Tables in HTML."""

import html as html_escapes
from collections.abc import Iterable, Iterator, Sequence

from poolhouse.output.printable import one_line
from poolhouse.output.titled_tables import Column, Number, TitledTable, cell_text, headings


def in_html(text: str) -> str:
    """Escape a text for HTML, also between quotation marks."""
    return html_escapes.escape(text)


def html(tables: Iterable[TitledTable]) -> str:
    """Write tables in HTML, without the page around them."""
    return "".join(_table(*table) for table in tables)


def _table(title: str, columns: Sequence[Column], rows: Sequence[Sequence[object]]) -> str:
    *groups, names = headings(columns)
    return "\n".join(
        [
            "<table>",
            *([f"<caption>{in_html(one_line(title))}</caption>"] if title else []),
            "<thead>",
            *(f"<tr>{''.join(_group(*span) for span in spans)}</tr>" for spans in groups),
            f"<tr>{''.join(map(_name, names))}</tr>",
            "</thead>",
            "<tbody>",
            *(f"<tr>{''.join(_cells(row))}</tr>" for row in rows),
            "</tbody>",
            "</table>",
            "",
        ]
    )


def _name(span: tuple[str, int]) -> str:
    return f'<th scope="col">{in_html(span[0])}</th>'


def _group(name: str, n_columns: int) -> str:
    span = f' colspan="{n_columns}"' if n_columns > 1 else ""
    return f'<th scope="colgroup"{span}>{in_html(name)}</th>' if name else f"<td{span}></td>"


def _cells(row: Sequence[object]) -> Iterator[str]:
    """Write the cells of a row; the first one names the row."""
    first, *others = row
    yield f'<th scope="row">{cell_text(first, in_html)}</th>'
    for value in others:
        if isinstance(value, Number):
            digits = f"<strong>{value.digits}</strong>" if value.is_bold else value.digits
            marks = f"<sup>{in_html(value.marks)}</sup>" if value.marks else ""
            yield f"<td>{digits}{marks}</td>"
        else:
            yield f"<td>{cell_text(value, in_html)}</td>"
