"""The check: every suite over every collection, recorded in the warehouse and shown on a page."""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

import duckdb

from poolhouse.errors import UnknownCollectionError
from poolhouse.expectations.declaration import Subject, Suite
from poolhouse.expectations.models import MODELS
from poolhouse.expectations.raw import PREPARATION, RAW
from poolhouse.expectations.results import Result, record
from poolhouse.expectations.suspicions import SUSPICIONS
from poolhouse.expectations.validation import Validator, sample_as_text
from poolhouse.staleness import CollectionState, State, collection_states
from poolhouse.warehouse import Warehouse

SUITES = (RAW, MODELS, SUSPICIONS)

# Told before every subject: what is looked at, how many are done, and of how many.
Progress = Callable[[str, int, int], None]


@dataclass(frozen=True)
class CheckReport:
    """What a check found, in the order of collections and suites, and what it left out."""

    checked_at: datetime
    results: tuple[Result, ...]
    remarks: tuple[str, ...]

    @property
    def broken_promises(self) -> list[Result]:
        """Promises that do not hold: the check fails."""
        return [each for each in self.results if each.is_broken_promise]

    @property
    def suspicions(self) -> list[Result]:
        """What is worth looking at: the check does not fail."""
        return [each for each in self.results if each.is_suspicion]


def check(
    warehouse: Warehouse,
    collections: Collection[str] = (),
    progress: Progress = lambda _name, _done, _total: None,
) -> CheckReport:
    """Compare the published warehouse with what is expected of it, and record the results.

    Of a collection whose marts are not of what is loaded, the raw files alone are checked. Errors:
    UnknownCollectionError, WarehouseMissingError, WarehouseBusyError, and PoolhouseError where an
    expectation cannot be evaluated.
    """
    checked_at = datetime.now(UTC).replace(tzinfo=None)
    with warehouse.read() as connection:
        states = _asked_for(collection_states(connection), collections)
        work = [(state, suite, subject) for state in states for suite, subject in _parts(state)]
        results = tuple(_results(connection, work, progress))
    record(warehouse, results, checked_at)
    return CheckReport(checked_at, results, tuple(_remarks(states)))


def _asked_for(
    states: list[CollectionState], collections: Collection[str]
) -> list[CollectionState]:
    known = {each.collection_id: each for each in states if each.state is not State.REMOVED}
    for name in collections:
        if name not in known:
            raise UnknownCollectionError(name, list(known))
    return [each for name, each in known.items() if not collections or name in collections]


def _parts(state: CollectionState) -> Iterator[tuple[Suite, Subject]]:
    for suite in SUITES:
        if suite is RAW or state.state is State.CURRENT:
            for subject in suite.subjects:
                yield suite, subject


def _results(
    connection: duckdb.DuckDBPyConnection,
    work: list[tuple[CollectionState, Suite, Subject]],
    progress: Progress,
) -> Iterator[Result]:
    progress("reading the expectations", 0, 0)
    validator = Validator(connection)
    at_hand = None
    for done, (state, suite, subject) in enumerate(work):
        progress(f"{state.collection_id}: {subject.name}", done, len(work))
        if state is not at_hand:
            _take_at_hand(connection, state)
            at_hand = state
        for expectation, finding in validator.validate(subject):
            yield Result(
                state.collection_key,
                state.collection_id,
                suite,
                subject,
                expectation,
                finding.success,
                finding.observed,
                finding.unexpected_count,
                sample_as_text(finding.sample),
            )


def _take_at_hand(connection: duckdb.DuckDBPyConnection, state: CollectionState) -> None:
    """Tell the queries which collection they are about, by variables: a name is never SQL."""
    connection.execute("set variable checked_collection_id = $1", [state.collection_id])
    connection.execute("set variable checked_collection_key = $1", [state.collection_key])
    connection.execute(PREPARATION)


def _remarks(states: list[CollectionState]) -> Iterator[str]:
    for each in states:
        if each.state is not State.CURRENT:
            yield (
                f"{each.collection_id}: {each.state.value}, so that its raw files alone were "
                "checked; next: poolhouse build"
            )
