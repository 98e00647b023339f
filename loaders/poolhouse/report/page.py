"""The page of a report: HTML, styles, script and rows in one file."""

import base64
import hashlib
import json
from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from pathlib import Path

from markupsafe import Markup

from poolhouse.expectations.declaration import SAMPLE_SIZE
from poolhouse.output.cells import as_text
from poolhouse.output.words import in_a_list
from poolhouse.report.contents import CollectionContents, Row
from poolhouse.report.downloads import csv_link
from poolhouse.report.leaderboard import share
from poolhouse.report.rows import DrawnFigure
from poolhouse.report.sections import FIGURES_OF, SECTIONS
from poolhouse.report.templates import environment

_PAGE_SCRIPT = Path(__file__).with_name("page.js")

# Rows of a table in the page. The CSV behind its link has all rows.
MOST_ROWS = 250
MOST_ROWS_OF_FIGURE = 20
# Collections that the title names.
MOST_NAMES = 4


def render(
    warehouse: str,
    made_at: datetime,
    overview: Sequence[Row],
    parts: Sequence[CollectionContents],
    vega: str,
) -> str:
    """Return the page; `vega` is the script that draws the figures."""
    scripts = [vega, _PAGE_SCRIPT.read_text(encoding="utf-8")]
    return (
        environment()
        .get_template("page.html.j2")
        .render(
            warehouse=warehouse,
            subject=_subject(overview) or warehouse,
            made_at=made_at,
            overview=overview,
            parts=parts,
            sections=SECTIONS,
            figures_of=FIGURES_OF,
            # A script element ends at `</script`, which neither script contains.
            scripts=[Markup(each) for each in scripts],  # noqa: S704
            hashes=" ".join(f"'sha256-{_digest(each)}'" for each in scripts),
            specification_of=_as_script_data,
            values_of=_values_of,
            sample_size=SAMPLE_SIZE,
            most_rows=MOST_ROWS,
            most_rows_of_figure=MOST_ROWS_OF_FIGURE,
            csv_link=csv_link,
            image_link=_image_link,
            as_text=as_text,
            is_number=_is_number,
            share=share,
        )
    )


def _subject(overview: Sequence[Row]) -> str:
    """Return the names of the collections, as a title has them; the first ones of many."""
    names = [row["collection_id"] for row in overview]
    more = len(names) - MOST_NAMES
    shown = [*names[:MOST_NAMES], f"{more} more"] if more > 0 else names
    return in_a_list(shown)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float | Decimal) and not isinstance(value, bool)


def _digest(script: str) -> str:
    return base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()


def _image_link(svg: bytes) -> str:
    return f"data:image/svg+xml;base64,{base64.b64encode(svg).decode()}"


def _values_of(rows: Sequence[Row], n_columns: int) -> list[tuple[object, ...]]:
    return [tuple(row.values())[:n_columns] for row in rows]


def _as_script_data(drawn: DrawnFigure) -> Markup:
    """Write the specification of a figure as JSON that ends no element of the page."""
    text = json.dumps(drawn.specification, allow_nan=False, separators=(",", ":"))
    return Markup(text.replace("&", "\\u0026").replace("<", "\\u003c"))  # noqa: S704 - no markup is left
