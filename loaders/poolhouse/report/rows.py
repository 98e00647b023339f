"""Rows for a report: results of its queries, and figures with their rows."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from poolhouse.figures.figure import Figure
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.frame_queries import query_frame

_QUERIES = Path(__file__).parent / "queries"
_AS_WIDE_AS_THE_PAGE = {
    "width": "container",
    "autosize": {"type": "fit-x", "contains": "padding"},
}


@dataclass(frozen=True)
class DrawnFigure:
    """A figure with its rows. It has no specification if there are no rows."""

    figure: Figure
    rows: pl.DataFrame
    specification: Mapping[str, object] | None


def drawn(
    warehouse: Warehouse,
    figure: Figure,
    collection: str,
    values: Mapping[str, object] | None = None,
) -> DrawnFigure:
    """Query the rows of a figure, and draw it in the width of the page."""
    rows = figure.ask(warehouse, collection, values)
    if rows.is_empty():
        return DrawnFigure(figure, rows, None)
    return DrawnFigure(figure, rows, figure.specification(rows, **_AS_WIDE_AS_THE_PAGE))


def query_rows(
    warehouse: Warehouse, name: str, values: Mapping[str, object] | None = None
) -> pl.DataFrame:
    """Return the rows of a query of the report."""
    sql = (_QUERIES / f"{name}.sql").read_text(encoding="utf-8")
    return query_frame(warehouse, sql, values)
