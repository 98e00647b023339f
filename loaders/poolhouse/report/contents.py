"""The contents of a report on a collection: rows of public marts, and their figures."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from poolhouse.building.staleness import loaded_states
from poolhouse.comparing.comparison import compare
from poolhouse.comparing.comparison_tables import tables_of
from poolhouse.comparing.comparison_words import conclusions_of
from poolhouse.comparing.requests import ComparisonRequest
from poolhouse.errors import NotJudgedError
from poolhouse.expectations.recorded import RecordedCheck, last_checks
from poolhouse.experiments.findings import TITLES, svg_of
from poolhouse.figures.catalogue import FIGURES
from poolhouse.output.titled_tables import TitledTable, plain
from poolhouse.report.leaderboard import Leaderboard, leaderboard_of
from poolhouse.report.planning import PlannedPool, planned_pools
from poolhouse.report.rows import DrawnFigure, Rows
from poolhouse.report.sections import FIGURES_OF, OF_A_POOL, SECTIONS
from poolhouse.warehouse.file import Warehouse

# Beside the main measure, because few measures have known bounds for the effect of unjudged
# documents.
_ALSO_COMPARED_BY = "P@10"
_N_COMPARED = 2
# Two runs are tested beside so many runs, on so many topics: one test asks for every pair of runs,
# another one draws a sign for each topic.
MOST_TESTED = 1000

Row = dict[str, Any]


@dataclass(frozen=True)
class RunsCompared:
    """Two runs, topic by topic: what differs in words and tables, remarks, and the figure.

    Where they are not tested, there is only the figure.
    """

    runs: tuple[str, str]
    figure: DrawnFigure
    is_tested: bool = False
    conclusions: Sequence[str] = ()
    tables: Sequence[TitledTable] = ()
    remarks: Sequence[str] = ()


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

    @property
    def sections(self) -> list[str]:
        """The sections of a judged collection: those of a pool only where there may be one."""
        has_pool = self.facts["judging"] in ("pooled", "unknown")
        return [
            name
            for name in SECTIONS
            if (has_pool or name not in OF_A_POOL) and (name != "judges" or self.judges)
        ]

    @property
    def names_of_figures(self) -> list[str]:
        """The names of the figures that have rows."""
        drawn = (*self.figures.values(), *(each.figure for each in self.pools if each.figure))
        return [each.figure.name for each in drawn if each.specification]


def collections_of(warehouse: Warehouse, rows: Rows, asked: Sequence[str]) -> list[Row]:
    """Return one row of facts for each requested collection, or for all loaded ones.

    A collection that is not built has only its name. `problem` says why a collection has nothing to
    show but its last check. Raise UnknownCollectionError. Raise PoolhouseError where the warehouse
    cannot be read or was never built.
    """
    facts = rows.collections()
    built = {row["collection_id"]: row for row in facts.to_dicts()}
    with warehouse.read() as connection:
        states = loaded_states(connection, asked)
    nothing: Row = dict.fromkeys(facts.columns)
    found = (
        built.get(name, nothing | {"collection_id": name}) | {"problem": state.problem}
        for state in states
        for name in [state.collection_id]
    )
    return [each | {"problem": each["problem"] or _unplannable(each)} for each in found]


def _unplannable(facts: Row) -> str | None:
    if facts["is_judged"] is False and facts["n_pooled_runs"] == 0:
        return (
            f"every run of {facts['collection_id']!r} is declared as not pooled, so that no pool "
            "can be planned: load other descriptions"
        )
    return None


def contents_of(
    warehouse: Warehouse,
    rows: Rows,
    overview: Sequence[Row],
    compared: tuple[str, str] | None = None,
    *,
    are_tested: bool = True,
) -> Iterator[CollectionContents]:
    """Yield the contents of each collection; `overview` are their rows of `collections_of`.

    `compared` are the two runs to compare of a single collection. By default they are the best runs
    of the two best organizations. They are tested only where `are_tested`, because the tests take
    seconds for each collection. Raise PoolhouseError where one of them is not a run of the
    collection, and NotJudgedError where no run of it has scores.
    """
    judged = [row for row in overview if not row["problem"] and row["is_judged"]]
    checks = last_checks(warehouse, [row["collection_id"] for row in overview])
    contents = _judged(warehouse, rows, judged, compared, are_tested=are_tested)
    for facts in overview:
        check = checks.get(facts["collection_id"])
        if facts["problem"]:
            yield CollectionContents(facts, check, facts["problem"])
        elif facts["is_judged"]:
            yield replace(next(contents), check=check)
        elif compared:
            raise NotJudgedError(facts["collection_id"])
        else:
            yield CollectionContents(
                facts, check, pools=planned_pools(rows, facts["collection_id"])
            )


def _judged(
    warehouse: Warehouse,
    rows: Rows,
    overview: Sequence[Row],
    compared: tuple[str, str] | None,
    *,
    are_tested: bool,
) -> Iterator[CollectionContents]:
    """Yield the contents of judged collections, without their checks."""
    names = [facts["collection_id"] for facts in overview]
    # Of the other collections, no query about authors has rows.
    with_authors = [facts["collection_id"] for facts in overview if facts["n_compared_authors"]]
    rules, changes, leaderboards, best, experiments = (
        rows.of(query, names)
        for query in ("rules", "verdict_changes", "leaderboard", "best_runs", "experiments")
    )
    judges = rows.of("judges", with_authors)
    figures = {
        name: rows.drawn(FIGURES[name], with_authors if section == "judges" else names)
        for section, of_section in FIGURES_OF.items()
        for name in of_section
    }
    runs = {
        name: compared or tuple(best[name].rows["run_id"])
        for name in names
        if compared or best[name].rows.height == _N_COMPARED
    }
    pairs = {
        side: [pair[place] for pair in runs.values()]
        for place, side in enumerate(("run_id", "other_run_id"))
    }
    two_runs = rows.drawn(FIGURES["two_runs"], list(runs), pairs)
    for facts in overview:
        name = facts["collection_id"]
        of_runs = RunsCompared(runs[name], two_runs[name]) if name in runs else None
        if of_runs and are_tested and max(facts["n_topics"], facts["n_runs"]) <= MOST_TESTED:
            of_runs = _tested(warehouse, facts, of_runs)
        yield CollectionContents(
            facts,
            None,
            rules=rules[name].rows.to_dicts(),
            verdict_changes=changes[name].rows.to_dicts(),
            leaderboard=leaderboard_of(leaderboards[name], facts["main_measure"]),
            judges=judges[name].rows.to_dicts() if name in judges else (),
            figures={
                figure: of_each[name] for figure, of_each in figures.items() if name in of_each
            },
            compared=of_runs,
            experiments=_experiments(warehouse, name, experiments[name].rows.to_dicts()),
        )


def _tested(warehouse: Warehouse, facts: Row, compared: RunsCompared) -> RunsCompared:
    """Test the difference of two runs."""
    measures = facts["main_measure"], _ALSO_COMPARED_BY
    request = ComparisonRequest(facts["collection_id"], compared.runs, measures)
    comparison = compare(warehouse, request)
    return replace(
        compared,
        is_tested=True,
        conclusions=list(conclusions_of(comparison)),
        tables=list(map(plain, tables_of(comparison))),
        remarks=comparison.remarks,
    )


def _experiments(
    warehouse: Warehouse, collection: str, rows: Sequence[Row]
) -> list[DrawnExperiment]:
    return [
        DrawnExperiment(TITLES[name], row, svg_of(warehouse, collection, name))
        for row in rows
        if (name := row["experiment"]) in TITLES
    ]
