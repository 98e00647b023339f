"""Drawing a figure of a collection into a file."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import polars as pl

from poolhouse.building.staleness import check_built, check_current
from poolhouse.errors import PoolhouseError
from poolhouse.figures.catalogue import FIGURES
from poolhouse.figures.figure import Figure
from poolhouse.figures.files import check_place, write_figure
from poolhouse.figures.measures import measures_of, shown_first
from poolhouse.figures.style import DEFAULT_STYLE, Style
from poolhouse.scoring.asked_runs import MAIN_MEASURE, AskedRuns, NewRun, names_of
from poolhouse.scoring.scored_runs import score_by_topic
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.frame_queries import query_frame


@dataclass(frozen=True)
class FigureRequest:
    """A figure of a collection, with `measure` and `values` if the figure has a choice.

    `values` are the parameters of the figure, by their names.
    """

    name: str
    collection: str
    measure: str | None = None
    values: Mapping[str, object] = field(default_factory=dict)


def draw_figure(
    warehouse: Warehouse, request: FigureRequest, file: Path, style: Style = DEFAULT_STYLE
) -> str:
    """Draw a figure of a collection into a file, whose name selects the format.

    Return how to read the figure.

    Raise UnknownCollectionError or NotJudgedError. Raise PoolhouseError where the marts of the
    collection are not current, where the figure has no rows, or no rows of the measure, where the
    file cannot be written, or where the machine lacks the font.
    """
    check_place(file, warehouse)
    figure = FIGURES[request.name]
    with warehouse.read() as connection:
        check = check_built if figure.needs_judgements else check_current
        check(connection, request.collection)
        rows = figure.ask(warehouse, request.collection, request.values)
    if rows.is_empty():
        raise PoolhouseError(
            f"{request.name} of {request.collection!r} would be empty: {figure.is_empty_where}"
        )
    rows, title = _by_measure(figure, rows, request.measure)
    write_figure(figure.specification(rows), title, request.collection, style, file)
    return figure.explained(rows)


def values_of_two_runs(
    warehouse: Warehouse, collection: str, runs: Sequence[str | NewRun]
) -> dict[str, object]:
    """Return the values of the figure of two runs, with the scores of the new runs among them.

    Raise PoolhouseError for two runs of one name, and where a run is new, the errors of
    `score_by_topic`.
    """
    names = names_of(runs)
    new = [name for name, run in zip(names, runs, strict=True) if not isinstance(run, str)]
    values: dict[str, object] = dict(zip(("run_id", "other_run_id"), names, strict=True))
    if len({*names}) < len(names):
        raise PoolhouseError(f"run {names[0]!r} is named twice")
    if new:
        with warehouse.read() as connection:
            rows = query_frame(warehouse, MAIN_MEASURE, {"collection": collection})
            measures = rows["main_measure"].to_list() or ["AP"]
            scores = score_by_topic(
                AskedRuns(connection, collection, runs), measures, has_bounds=False
            )
        of_new = scores.filter(pl.col("run_id").is_in(new))
        values["new_scores"] = of_new.select(
            pl.lit(collection).alias("collection_id"), "run_id", "measure", "topic_id", "score"
        ).to_dicts()
    return values


def _by_measure(
    figure: Figure, rows: pl.DataFrame, measure: str | None
) -> tuple[pl.DataFrame, str]:
    """Return the rows of the measure that the file shows, and a title that names it."""
    if not figure.has_choice_of_measure:
        if measure is not None:
            raise PoolhouseError(f"{figure.name} has no choice of a measure")
        return rows, figure.title
    measures = measures_of(rows)
    chosen = measure or shown_first(rows)
    if chosen not in measures:
        known = ", ".join(measures)
        raise PoolhouseError(f"{figure.name} has no {chosen!r}: it has {known}")
    return rows.filter(measure=chosen), f"{figure.title}, {chosen}"
