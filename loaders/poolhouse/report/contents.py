"""The contents of a report on a collection: rows of public marts, and their figures."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from poolhouse.building.staleness import State, check_built, collection_states
from poolhouse.errors import PoolhouseError, UnknownCollectionError
from poolhouse.expectations.recorded import RecordedCheck, last_check
from poolhouse.experiments.findings import TITLES, svg_of
from poolhouse.figures.catalogue import FIGURES
from poolhouse.figures.figure import Figure
from poolhouse.output.documents import TitledTable
from poolhouse.scores.comparing import ComparisonRequest, compare
from poolhouse.scores.comparison_tables import tables_of
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.frame_queries import query_frame

_QUERIES = Path(__file__).parent / "queries"

# Beside the main measure, because few measures have known bounds for the effect of unjudged
# documents.
_ALSO_COMPARED_BY = "P@10"
_N_COMPARED = 2

_AS_WIDE_AS_THE_PAGE = {
    "width": "container",
    "autosize": {"type": "fit-x", "contains": "padding"},
}

Row = dict[str, Any]


@dataclass(frozen=True)
class DrawnFigure:
    """A figure with its rows. It has no specification if there are no rows."""

    figure: Figure
    rows: pl.DataFrame
    specification: Mapping[str, object] | None


@dataclass(frozen=True)
class RunsCompared:
    """Two runs, topic by topic: tables of the differences, remarks, and the figure."""

    runs: tuple[str, str]
    tables: Sequence[TitledTable]
    remarks: Sequence[str]
    figure: DrawnFigure


@dataclass(frozen=True)
class DrawnExperiment:
    """An experiment that was run on the collection, with its figure as SVG."""

    title: str
    row: Row
    svg: bytes


@dataclass(frozen=True)
class CollectionContents:
    """The contents of a report on one collection.

    `problem` says why nothing but the last check is shown, where the collection is not judged or
    its marts are not current. `verdict_changes` are the rows of the last build that changed the
    verdict or its figures.
    """

    facts: Row
    problem: str | None
    rules: Sequence[Row]
    verdict_changes: Sequence[Row]
    leaderboard: pl.DataFrame
    figures: Mapping[str, DrawnFigure]
    compared: RunsCompared | None
    experiments: Sequence[DrawnExperiment]
    check: RecordedCheck | None


def collections_of(warehouse: Warehouse, asked: Sequence[str]) -> list[Row]:
    """Return one row of facts for each requested collection, or for all loaded ones.

    A collection that is not built has only its name. Raise UnknownCollectionError. Raise
    PoolhouseError where the warehouse cannot be read or was never built.
    """
    facts = _ask(warehouse, "collections")
    built = {row["collection_id"]: row for row in facts.to_dicts()}
    with warehouse.read() as connection:
        states = collection_states(connection)
    loaded = [each.collection_id for each in states if each.state is not State.REMOVED]
    for name in asked:
        if name not in loaded:
            raise UnknownCollectionError(name, loaded)
    nothing: Row = dict.fromkeys(facts.columns)
    return [
        built.get(name, nothing | {"collection_id": name})
        for name in loaded
        if not asked or name in asked
    ]


def contents_of(
    warehouse: Warehouse, facts: Row, compared: tuple[str, str] | None = None
) -> CollectionContents:
    """Return the contents for a collection; `facts` is its row of `collections_of`.

    `compared` are the two runs to compare. By default they are the best runs of the two best
    organizations. Raise PoolhouseError where one of them is not a run of the collection.
    """
    collection = facts["collection_id"]
    values = {"collection": collection}
    problem = _problem(warehouse, collection)
    if problem is not None:
        check = last_check(warehouse, collection)
        return CollectionContents(facts, problem, [], [], pl.DataFrame(), {}, None, [], check)
    return CollectionContents(
        facts=facts,
        problem=None,
        rules=_ask(warehouse, "rules", values).to_dicts(),
        verdict_changes=_ask(warehouse, "verdict_changes", values).to_dicts(),
        leaderboard=_ask(warehouse, "leaderboard", values),
        figures={
            name: drawn(warehouse, figure, collection)
            for name, figure in FIGURES.items()
            if not figure.parameters
        },
        compared=_compared(warehouse, facts, compared),
        experiments=_experiments(warehouse, collection),
        check=last_check(warehouse, collection),
    )


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


def _problem(warehouse: Warehouse, collection: str) -> str | None:
    try:
        with warehouse.read() as connection:
            check_built(connection, collection)
    except PoolhouseError as error:
        return str(error)
    return None


def _compared(
    warehouse: Warehouse, facts: Row, asked: tuple[str, str] | None
) -> RunsCompared | None:
    collection = facts["collection_id"]
    best = _ask(warehouse, "best_runs", {"collection": collection})["run_id"].to_list()
    runs = asked or tuple(best)
    if len(runs) != _N_COMPARED:
        return None
    measures = (facts["main_measure"], _ALSO_COMPARED_BY)
    comparison = compare(warehouse, ComparisonRequest(collection, runs, measures))
    values = {"run_id": runs[0], "other_run_id": runs[1]}
    return RunsCompared(
        runs=(runs[0], runs[1]),
        tables=list(tables_of(comparison)),
        remarks=comparison.remarks,
        figure=drawn(warehouse, FIGURES["two_runs"], collection, values),
    )


def _experiments(warehouse: Warehouse, collection: str) -> list[DrawnExperiment]:
    rows = _ask(warehouse, "experiments", {"collection": collection}).to_dicts()
    return [
        DrawnExperiment(TITLES[name], row, svg_of(warehouse, collection, name))
        for row in rows
        if (name := row["experiment"]) in TITLES
    ]


def _ask(
    warehouse: Warehouse, name: str, values: Mapping[str, object] | None = None
) -> pl.DataFrame:
    sql = (_QUERIES / f"{name}.sql").read_text(encoding="utf-8")
    return query_frame(warehouse, sql, values)
