"""The check: run every suite on every collection, and record the results."""

from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import UTC, datetime

import duckdb

from poolhouse.building.staleness import CollectionState, State, collection_states
from poolhouse.errors import PoolhouseError, UnknownCollectionError
from poolhouse.expectations.figures import take_at_hand
from poolhouse.expectations.models import MODELS
from poolhouse.expectations.raw import RAW
from poolhouse.expectations.results import (
    Result,
    Version,
    has_marts,
    record,
    sample_as_text,
    versions,
)
from poolhouse.expectations.suspicions import SUSPICIONS
from poolhouse.output.cells import JsonText
from poolhouse.warehouse.busy import when_free
from poolhouse.warehouse.ending import DEFAULT_SECONDS, limited, time_limit
from poolhouse.warehouse.file import Warehouse

SUITES = (RAW, MODELS, SUSPICIONS)

COLUMNS = [
    *("collection", "suite", "subject", "expectation", "observed", "unexpected", "sample"),
    *("meaning", "advice"),
]

# Seconds that a check waits for a load or build to end before it gives up recording.
_PATIENCE = 60.0

# Called before every subject with its name, the number of finished subjects and the total.
Progress = Callable[[str, int, int], None]


@dataclass(frozen=True)
class CheckReport:
    """The results of a check, in the order of collections and suites.

    `not_recorded` says why the results were not recorded; it is empty if they were.
    """

    results: tuple[Result, ...]
    remarks: tuple[str, ...]
    not_recorded: str = ""

    @property
    def n_broken(self) -> int:
        """Number of broken promises; the check fails if there is one."""
        return sum(each.is_broken_promise for each in self.results)

    @property
    def n_suspicions(self) -> int:
        """Number of suspicions, which do not make the check fail."""
        return sum(each.is_suspicion for each in self.results)

    @property
    def has_marts(self) -> bool:
        """Whether the marts of a collection were current, and therefore checked."""
        return has_marts(self.results)

    def shortcomings(self) -> tuple[list[str], list[tuple[object, ...]]]:
        """Return the expectations that do not hold: names of columns, and one row per result."""
        rows: list[tuple[object, ...]] = [
            (
                each.collection_id,
                each.suite.name.value,
                each.subject.name,
                each.expectation.name,
                each.observed,
                each.unexpected_count,
                JsonText(each.sample),
                each.expectation.meaning,
                each.expectation.advice,
            )
            for each in self.results
            if each.success is False
        ]
        return COLUMNS, rows

    def summary(self) -> str:
        """Count the results in a line."""
        promises = [each for each in self.results if each.suite.name.is_promise]
        n_kept = sum(each.success is True for each in promises)
        n_empty = sum(each.success is None for each in self.results)
        n_collections = len({each.collection_key for each in self.results})
        return (
            f"collections: {n_collections}; promises kept: {n_kept}, broken: {self.n_broken}; "
            f"suspicions: {self.n_suspicions}; not evaluated: {n_empty}"
        )


def check(
    warehouse: Warehouse,
    collections: Collection[str] = (),
    progress: Progress = lambda _name, _done, _total: None,
    seconds: float = DEFAULT_SECONDS,
) -> CheckReport:
    """Compare the published warehouse with its expectations, and record the results.

    Where the marts of a collection are not current, only its raw files are checked. `seconds` is
    the longest time for the expectations of one table. Raise UnknownCollectionError,
    WarehouseMissingError, and PoolhouseError where an expectation cannot be evaluated. A problem
    that keeps the results from being recorded is named in the report.
    """
    checked_at = datetime.now(UTC).replace(tzinfo=None)
    # Others may load and build meanwhile. This connection keeps reading the same state.
    with warehouse.read() as connection:
        states = _asked_for(collection_states(connection), collections)
        seen = versions(connection)
        results = _look(connection, states, progress, seconds)
    in_order = tuple(result for each in states for result in results[each.collection_key])
    n_subjects = sum(len(suite.subjects) for suite in SUITES)
    progress("recording the results", n_subjects, n_subjects)
    problem = _record(warehouse, in_order, seen, checked_at)
    return CheckReport(in_order, tuple(_remarks(states)), problem)


def _asked_for(
    states: list[CollectionState], collections: Collection[str]
) -> list[CollectionState]:
    known = {each.collection_id: each for each in states if each.state is not State.REMOVED}
    for name in collections:
        if name not in known:
            raise UnknownCollectionError(name, list(known))
    if not known:
        raise PoolhouseError("no collection is loaded: there is nothing to check")
    return [each for name, each in known.items() if not collections or name in collections]


def _look(
    connection: duckdb.DuckDBPyConnection,
    states: list[CollectionState],
    progress: Progress,
    seconds: float,
) -> dict[int, list[Result]]:
    """Compare every suite with its collections, all collections at once.

    Return the results of each collection, by its key, in the order of the suites.
    """
    progress("reading the expectations", 0, 0)
    # Great Expectations takes seconds to import, so errors of the request are raised before.
    from poolhouse.expectations.validation import Validator  # noqa: PLC0415

    def limit(subject: str) -> AbstractContextManager[None]:
        problem = (
            f"the expectations of {subject} were not compared within {seconds:g} seconds; "
            "nothing was recorded; to wait longer: check --timeout"
        )
        return limited(time_limit(seconds, problem))

    validator = Validator(connection)
    results: dict[int, list[Result]] = {each.collection_key: [] for each in states}
    work = [(suite, subject) for suite in SUITES for subject in suite.subjects]
    at_hand: dict[int, str] = {}
    for done, (suite, subject) in enumerate(work):
        progress(subject.name, done, len(work))
        if subject is suite.subjects[0]:
            at_hand = _names(each for each in states if suite is RAW or _is_current(each))
            take_at_hand(connection, at_hand)
        if not at_hand:
            continue
        with limit(subject.name):
            if subject.prepare:
                subject.prepare(connection, at_hand)
            for key, expectation, finding in validator.validate(subject):
                results[key].append(
                    Result(
                        key,
                        at_hand[key],
                        suite,
                        subject,
                        expectation,
                        finding.success,
                        finding.observed,
                        finding.unexpected_count,
                        sample_as_text(finding.sample),
                    )
                )
    return results


def _is_current(state: CollectionState) -> bool:
    return state.state is State.CURRENT


def _names(states: Iterable[CollectionState]) -> dict[int, str]:
    return {each.collection_key: each.collection_id for each in states}


def _record(
    warehouse: Warehouse,
    results: tuple[Result, ...],
    seen: dict[int, Version],
    checked_at: datetime,
) -> str:
    """Record the results, after other writers. Return the problem that prevents this, if any."""

    def add() -> None:
        with warehouse.change(), warehouse.side() as connection:
            record(connection, results, seen, checked_at)

    try:
        when_free(add, _PATIENCE)
    except PoolhouseError as error:
        return str(error)
    return ""


def _remarks(states: list[CollectionState]) -> Iterator[str]:
    for each in states:
        if each.state is not State.CURRENT:
            yield (
                f"{each.collection_id}: {each.state.value}, so that only its raw files were "
                "checked; next: poolhouse build"
            )
        if not each.is_judged:
            yield (
                f"{each.collection_id}: not judged yet, so that there are no scores and no "
                "judgements to check; its files and its runs were checked"
            )
