"""The sections of a collection that is not judged: what its judgements would cost."""

from dataclasses import dataclass

import polars as pl

from poolhouse.figures.catalogue import FIGURES
from poolhouse.report.rows import DrawnFigure, Rows
from poolhouse.report.sections import PLANNING, PlanningSection


@dataclass(frozen=True)
class PlannedPool:
    """A section with its first rows, the number of all, and their figure where there is one."""

    section: PlanningSection
    rows: pl.DataFrame
    n_rows: int
    figure: DrawnFigure | None


def planned_pools(rows: Rows, collection: str) -> list[PlannedPool]:
    """Return the sections that have rows."""
    sections = (_filled(rows, collection, section) for section in PLANNING)
    return [each for each in sections if not each.rows.is_empty()]


def _filled(rows: Rows, collection: str, section: PlanningSection) -> PlannedPool:
    if figure := FIGURES.get(section.name):
        drawn = rows.drawn(figure, [collection])[collection]
        return PlannedPool(section, drawn.rows, drawn.n_rows, drawn)
    first = rows.of(section.name, [collection])[collection]
    return PlannedPool(section, first.rows, first.n_rows, None)
