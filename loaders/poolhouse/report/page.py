"""The page of a report: HTML, styles, script and rows in one file."""

import base64
import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from pathlib import Path

from markupsafe import Markup

from poolhouse.expectations.suites import SAMPLE_SIZE
from poolhouse.output.cells import as_text
from poolhouse.output.words import in_a_list
from poolhouse.report.contents import MOST_TESTED, CollectionContents, Row
from poolhouse.report.downloads import csv_link
from poolhouse.report.leaderboard import share
from poolhouse.report.rows import DrawnFigure
from poolhouse.report.sections import FIGURES_OF, SECTIONS
from poolhouse.report.templates import environment

_PAGE_SCRIPT = Path(__file__).with_name("page.js")

# Collections of one page. More have a page each.
MOST_COLLECTIONS = 10
# Rows of a table in the page. The CSV behind its link has all rows.
MOST_ROWS = 250
MOST_ROWS_OF_FIGURE = 20
# Collections that the title names.
MOST_NAMES = 4


class Renderer:
    """Writes the pages of a report."""

    def __init__(self, warehouse: str, made_at: datetime) -> None:
        """Write pages about a warehouse."""
        self._own = _PAGE_SCRIPT.read_text(encoding="utf-8")
        self._values = {"warehouse": warehouse, "made_at": made_at}

    def of_all(
        self, overview: Sequence[Row], parts: Sequence[CollectionContents], vega: str
    ) -> str:
        """Return the page of all collections, which holds the script that draws the figures."""
        links = _Links([f"#c{number}" for number in range(1, len(overview) + 1)])
        return self._render(_Scripts([vega, self._own]), overview, parts, links)

    def of_many(self, overview: Sequence[Row], addresses: Sequence[str]) -> str:
        """Return the page that lists the collections, which have pages of their own."""
        return self._render(_Scripts([self._own]), overview, (), _Links(addresses, has_pages=True))

    def of_one(self, part: CollectionContents, home: str, vega: str) -> str:
        """Return the page of one collection of many.

        `home` is the address of their list, and `vega` of the script that draws the figures.
        """
        scripts = _Scripts([self._own], file=vega)
        return self._render(scripts, [part.facts], [part], _Links(["#c1"], home=home))

    def _render(
        self,
        scripts: "_Scripts",
        overview: Sequence[Row],
        parts: Sequence[CollectionContents],
        links: "_Links",
    ) -> str:
        template = environment().get_template("page.html.j2")
        return template.render(
            **self._values,
            subject=_subject(overview) or self._values["warehouse"],
            overview=overview,
            parts=parts,
            links=links,
            most_collections=MOST_COLLECTIONS,
            most_tested=f"{MOST_TESTED:,}",
            sections=SECTIONS,
            figures_of=FIGURES_OF,
            scripts=scripts,
            specification_of=_as_script_data,
            values_of=_values_of,
            without_empty=without_empty,
            sample_size=SAMPLE_SIZE,
            most_rows=MOST_ROWS,
            most_rows_of_figure=MOST_ROWS_OF_FIGURE,
            csv_link=csv_link,
            image_link=_image_link,
            as_text=as_text,
            is_number=_is_number,
            share=share,
        )


@dataclass(frozen=True)
class _Links:
    """The addresses of the collections, which may have pages of their own, and of their list."""

    addresses: Sequence[str]
    has_pages: bool = False
    home: str | None = None


@dataclass(frozen=True)
class _Scripts:
    """The scripts in a page, and the address of a file beside it with one that runs first."""

    texts: Sequence[str]
    file: str | None = None

    @property
    def marked(self) -> list[Markup]:
        """The texts: a script element ends at `</script`, which no script contains."""
        return [Markup(each) for each in self.texts]  # noqa: S704

    @property
    def allowed(self) -> Markup:
        """The sources that a browser may run: the texts by their hashes, and the file.

        A browser knows no origin of a page that it reads from a disk, so that `self` is none.
        """
        hashes = [f"'sha256-{_digest(each)}'" for each in self.texts]
        return Markup(" ".join([*hashes, *(["'self'", "file:"] if self.file else [])]))  # noqa: S704


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


def without_empty(
    heads: Sequence[str], rows: Sequence[Sequence[object]]
) -> tuple[list[str], list[list[object]]]:
    """Leave out the columns that no row has a value for, such as the kappa of two persons."""
    places = [place for place in range(len(heads)) if any(row[place] is not None for row in rows)]
    return [heads[place] for place in places], [[row[place] for place in places] for row in rows]


def _as_script_data(drawn: DrawnFigure) -> Markup:
    """Write the specification of a figure as JSON that ends no element of the page."""
    text = json.dumps(drawn.specification, allow_nan=False, separators=(",", ":"))
    return Markup(text.replace("&", "\\u0026").replace("<", "\\u003c"))  # noqa: S704 - no markup is left
