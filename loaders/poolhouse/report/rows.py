"""Rows for a report: first results of its queries, and figures with their rows.

All collections are asked at once, because planning a query takes longer than its rows.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from poolhouse.figures.alike import Drawings
from poolhouse.figures.figure import Figure
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.first_rows import Bound, FirstRows, first_rows
from poolhouse.warehouse.frame_queries import query_frame

_QUERIES = Path(__file__).parent / "queries"
_AS_WIDE_AS_THE_PAGE = {
    "width": "container",
    "autosize": {"type": "fit-x", "contains": "padding"},
}

# Rows of a collection that reach a page: of a figure, for each measure if there is a choice, at
# least as many as are drawn; and of another query, such as the leaderboard.
MOST_ROWS_OF_FIGURE, MOST_ROWS_OF_QUERY = 500, 5000


@dataclass(frozen=True)
class DrawnFigure:
    """A figure with its first rows. It has no specification if there are no rows.

    `n_rows` is the number of all rows, and `reading` says how to read the figure.
    """

    figure: Figure
    rows: pl.DataFrame
    n_rows: int
    reading: str
    specification: Mapping[str, object] | None


class Rows:
    """Asks for the rows of collections."""

    def __init__(self, warehouse: Warehouse) -> None:
        """Ask this warehouse."""
        self._warehouse = warehouse
        self._drawings = Drawings(**_AS_WIDE_AS_THE_PAGE)

    def collections(self) -> pl.DataFrame:
        """Return the facts of all built collections."""
        return query_frame(self._warehouse, _sql("collections"))

    def of(
        self,
        name: str,
        collections: Sequence[str],
        values: Mapping[str, Sequence[object]] | None = None,
    ) -> dict[str, FirstRows]:
        """Return the rows of a query of the report for each collection, if there is any.

        `values` has a value for each collection.
        """
        if not collections:
            return {}
        bound = Bound(MOST_ROWS_OF_QUERY)
        found = first_rows(self._warehouse, _sql(name), collections, values, bound)
        return FirstRows.of_each(found, collections)

    def drawn(
        self,
        figure: Figure,
        collections: Sequence[str],
        values: Mapping[str, Sequence[object]] | None = None,
    ) -> dict[str, DrawnFigure]:
        """Draw a figure of each collection in the width of the page."""
        if not collections:
            return {}
        most = max(figure.most_rows, MOST_ROWS_OF_FIGURE)
        found = figure.ask_each(self._warehouse, collections, values, most)
        return {collection: self._draw(figure, rows) for collection, rows in found.items()}

    def _draw(self, figure: Figure, first: FirstRows) -> DrawnFigure:
        if first.rows.is_empty():
            return DrawnFigure(figure, first.rows, 0, "", None)
        reading = figure.explained(first.rows, first.n_of_part)
        specification = self._drawings.specification(figure, first.rows, reading)
        return DrawnFigure(figure, first.rows, first.n_rows, reading, specification)


def _sql(name: str) -> str:
    return (_QUERIES / f"{name}.sql").read_text(encoding="utf-8")
