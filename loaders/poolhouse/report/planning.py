"""The sections of a collection that is not judged: what its judgements would cost."""

from dataclasses import dataclass

import polars as pl

from poolhouse.figures.catalogue import FIGURES
from poolhouse.report.rows import DrawnFigure, drawn, query_rows
from poolhouse.report.sections import PLANNING, PlanningSection
from poolhouse.warehouse.file import Warehouse


@dataclass(frozen=True)
class PlannedPool:
    """A section with its rows, and with their figure where there is one."""

    section: PlanningSection
    rows: pl.DataFrame
    figure: DrawnFigure | None


def planned_pools(warehouse: Warehouse, collection: str) -> list[PlannedPool]:
    """Return the sections that have rows."""
    sections = (_filled(warehouse, collection, section) for section in PLANNING)
    return [each for each in sections if not each.rows.is_empty()]


def _filled(warehouse: Warehouse, collection: str, section: PlanningSection) -> PlannedPool:
    if figure := FIGURES.get(section.name):
        of_figure = drawn(warehouse, figure, collection)
        return PlannedPool(section, of_figure.rows, of_figure)
    rows = query_rows(warehouse, section.name, {"collection": collection})
    return PlannedPool(section, rows, None)
