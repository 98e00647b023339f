"""The contents of a report on a collection: rows of public marts, and their figures."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from poolhouse.building.staleness import State, check_current, collection_states
from poolhouse.errors import NotJudgedError, PoolhouseError, UnknownCollectionError
from poolhouse.expectations.recorded import RecordedCheck, last_check
from poolhouse.experiments.findings import TITLES, svg_of
from poolhouse.figures.catalogue import FIGURES
from poolhouse.output.titled_tables import TitledTable, plain
from poolhouse.report.leaderboard import Leaderboard, leaderboard_of
from poolhouse.report.planning import PlannedPool, planned_pools
from poolhouse.report.rows import DrawnFigure, drawn, query_rows
from poolhouse.report.sections import FIGURES_OF
from poolhouse.scores.comparing import ComparisonRequest, compare
from poolhouse.scores.comparison_tables import tables_of
from poolhouse.scores.comparison_words import conclusions_of
from poolhouse.warehouse.file import Warehouse

# Beside the main measure, because few measures have known bounds for the effect of unjudged
# documents.
_ALSO_COMPARED_BY = "P@10"
_N_COMPARED = 2

Row = dict[str, Any]


@dataclass(frozen=True)
class RunsCompared:
    """Two runs, topic by topic: what differs in words and tables, remarks, and the figure."""

    conclusions: Sequence[str]
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

    `problem` says why nothing but the last check is shown. `pools` are the pools that a collection
    may have that is not judged. Such a collection has nothing of what follows. `verdict_changes`
    are the rows of the last build that changed the verdict or its figures.
    """

    facts: Row
    check: RecordedCheck | None
    problem: str | None = None
    pools: Sequence[PlannedPool] = ()
    rules: Sequence[Row] = ()
    verdict_changes: Sequence[Row] = ()
    leaderboard: Leaderboard | None = None
    judges: Sequence[Row] = ()
    figures: Mapping[str, DrawnFigure] = field(default_factory=dict)
    compared: RunsCompared | None = None
    experiments: Sequence[DrawnExperiment] = ()


def collections_of(warehouse: Warehouse, asked: Sequence[str]) -> list[Row]:
    """Return one row of facts for each requested collection, or for all loaded ones.

    A collection that is not built has only its name. Raise UnknownCollectionError. Raise
    PoolhouseError where the warehouse cannot be read or was never built.
    """
    facts = query_rows(warehouse, "collections")
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
    organizations. Raise PoolhouseError where one of them is not a run of the collection, and
    NotJudgedError where no run of it has scores.
    """
    collection = facts["collection_id"]
    values = {"collection": collection}
    check = last_check(warehouse, collection)
    if problem := _problem(warehouse, facts):
        return CollectionContents(facts, check, problem)
    if not facts["is_judged"]:
        if compared:
            raise NotJudgedError(collection)
        return CollectionContents(facts, check, pools=planned_pools(warehouse, collection))
    return CollectionContents(
        facts,
        check,
        rules=query_rows(warehouse, "rules", values).to_dicts(),
        verdict_changes=query_rows(warehouse, "verdict_changes", values).to_dicts(),
        leaderboard=leaderboard_of(warehouse, collection, facts["main_measure"]),
        judges=query_rows(
            warehouse, "judges", values | {"measure": facts["main_measure"]}
        ).to_dicts(),
        figures={
            name: drawn(warehouse, FIGURES[name], collection)
            for name in chain(*FIGURES_OF.values())
        },
        compared=_compared(warehouse, facts, compared),
        experiments=_experiments(warehouse, collection),
    )


def _problem(warehouse: Warehouse, facts: Row) -> str | None:
    collection = facts["collection_id"]
    try:
        with warehouse.read() as connection:
            check_current(connection, collection)
    except PoolhouseError as error:
        return str(error)
    if not facts["is_judged"] and facts["n_pooled_runs"] == 0:
        return (
            f"every run of {collection!r} is declared as not pooled, so that no pool can be "
            "planned: load other descriptions"
        )
    return None


def _compared(
    warehouse: Warehouse, facts: Row, asked: tuple[str, str] | None
) -> RunsCompared | None:
    collection = facts["collection_id"]
    best = query_rows(warehouse, "best_runs", {"collection": collection})["run_id"].to_list()
    runs = asked or tuple(best)
    if len(runs) != _N_COMPARED:
        return None
    measures = (facts["main_measure"], _ALSO_COMPARED_BY)
    comparison = compare(warehouse, ComparisonRequest(collection, runs, measures))
    values = {"run_id": runs[0], "other_run_id": runs[1]}
    return RunsCompared(
        conclusions=list(conclusions_of(comparison)),
        tables=list(map(plain, tables_of(comparison))),
        remarks=comparison.remarks,
        figure=drawn(warehouse, FIGURES["two_runs"], collection, values),
    )


def _experiments(warehouse: Warehouse, collection: str) -> list[DrawnExperiment]:
    rows = query_rows(warehouse, "experiments", {"collection": collection}).to_dicts()
    return [
        DrawnExperiment(TITLES[name], row, svg_of(warehouse, collection, name))
        for row in rows
        if (name := row["experiment"]) in TITLES
    ]
