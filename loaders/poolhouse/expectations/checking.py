"""The check: compare every suite with every collection, and record the results."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

import duckdb

from poolhouse.building.staleness import CollectionState, State, loaded_states
from poolhouse.errors import PoolhouseError
from poolhouse.expectations.looking import Validation, look
from poolhouse.expectations.recording import Versions, record, versions
from poolhouse.expectations.results import Result, Results
from poolhouse.expectations.steps import Steps
from poolhouse.expectations.suites import Suite
from poolhouse.output.cells import JsonText
from poolhouse.progress import Progress, no_progress
from poolhouse.warehouse.busy import when_free
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.limits import DEFAULT_SECONDS

COLUMNS = [
    *("collection", "suite", "subject", "expectation", "observed", "unexpected", "sample"),
    *("meaning", "advice"),
]

# Seconds that a check waits for a load or build to end before it gives up recording.
_PATIENCE = 60.0


@dataclass(frozen=True)
class CheckReport(Results):
    """The results of a check, in the order of collections and suites.

    `validations` are the results in Great Expectations' own form. `not_recorded` says why the
    results were not recorded; it is empty if they were.
    """

    validations: tuple[Validation, ...]
    remarks: tuple[str, ...]
    not_recorded: str = ""

    def shortcomings(self) -> tuple[list[str], list[tuple[object, ...]]]:
        """Return the expectations that do not hold: names of columns, and one row per result."""
        rows: list[tuple[object, ...]] = [
            (
                *(each.collection_id, each.suite, each.subject, each.expectation),
                *(each.observed, each.unexpected_count, JsonText(each.sample)),
                *(each.meaning, each.advice),
            )
            for each in self.results
            if each.success is False
        ]
        return COLUMNS, rows

    def summary(self) -> str:
        """Count the results in a line."""
        n_collections = len({each.collection_id for each in self.results})
        return (
            f"collections: {n_collections}; promises kept: {self.n_kept}, broken: "
            f"{len(self.broken)}; suspicions: {len(self.suspicions)}; not evaluated: "
            f"{len(self.not_evaluated)}"
        )


def check(
    warehouse: Warehouse,
    collections: Collection[str] = (),
    suites: Sequence[Suite] = (),
    progress: Progress = no_progress,
    seconds: float = DEFAULT_SECONDS,
) -> CheckReport:
    """Compare the published warehouse with its expectations, and record the results.

    Where the marts of a collection are not current, only its loaded files are checked. `suites` are
    a user's, beside ours. `seconds` is the longest time for one step. Raise UnknownCollectionError,
    WarehouseMissingError, and PoolhouseError where an expectation cannot be evaluated. A problem
    that keeps the results from being recorded is named in the report.
    """
    checked_at = datetime.now(UTC).replace(tzinfo=None)
    steps = Steps(progress, seconds)
    # Others may load and build meanwhile. This connection keeps reading the same state.
    with warehouse.read() as connection:
        states = _asked_for(connection, collections)
        checked = versions(connection)
        results, validations = look(connection, states, suites, steps)
    steps.last("recording the results")
    problem = _record(warehouse, results, checked, checked_at)
    return CheckReport(tuple(results), tuple(validations), tuple(_remarks(states)), problem)


def _asked_for(
    connection: duckdb.DuckDBPyConnection, collections: Collection[str]
) -> list[CollectionState]:
    if states := loaded_states(connection, collections):
        return states
    raise PoolhouseError("no collection is loaded: there is nothing to check")


def _record(
    warehouse: Warehouse,
    results: Sequence[Result],
    checked: Versions,
    checked_at: datetime,
) -> str:
    """Record the results, after other writers. Return the problem that prevents this, if any."""

    def add() -> None:
        with warehouse.change(), warehouse.side() as connection:
            record(connection, results, checked, checked_at)

    try:
        when_free(add, _PATIENCE)
    except PoolhouseError as error:
        return str(error)
    return ""


def _remarks(states: Sequence[CollectionState]) -> Iterator[str]:
    for each in states:
        if each.state is not State.CURRENT:
            yield f"{each.problem}; only its raw files were checked"
        if not each.is_judged:
            yield (
                f"{each.collection_id}: not judged yet, so that there are no scores and no "
                "judgements to check; its files and its runs were checked"
            )
