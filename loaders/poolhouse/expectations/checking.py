"""The check: every suite over every collection, recorded in the warehouse and shown on a page."""

from collections.abc import Callable, Collection, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import duckdb

from poolhouse.errors import PoolhouseError, UnknownCollectionError
from poolhouse.expectations.declaration import Subject, Suite
from poolhouse.expectations.in_qrels_shares import in_qrels_shares
from poolhouse.expectations.models import MODELS
from poolhouse.expectations.page import (
    CollectionPart,
    draft_of,
    page_beside,
    refuse_bad_place,
    render,
)
from poolhouse.expectations.raw import PREPARATION, RAW
from poolhouse.expectations.results import Result, record
from poolhouse.expectations.suspicions import SUSPICIONS
from poolhouse.staleness import CollectionState, State, collection_states
from poolhouse.warehouse import Warehouse

SUITES = (RAW, MODELS, SUSPICIONS)

COLUMNS = ["collection", "suite", "subject", "expectation", "observed", "unexpected", "sample"]

# Told before every subject: what is looked at, how many are done, and of how many.
Progress = Callable[[str, int, int], None]


@dataclass(frozen=True)
class CheckReport:
    """What a check found, in the order of collections and suites, and where its page lies."""

    page: Path
    results: tuple[Result, ...]
    remarks: tuple[str, ...]

    @property
    def n_broken(self) -> int:
        """Promises that do not hold: where there is one, the check fails."""
        return sum(each.is_broken_promise for each in self.results)

    @property
    def n_suspicions(self) -> int:
        """What is worth a question: the check does not fail."""
        return sum(each.is_suspicion for each in self.results)

    def shortcomings(self) -> tuple[list[str], list[tuple[object, ...]]]:
        """List what does not hold: names of the columns, and a row a result."""
        rows: list[tuple[object, ...]] = [
            (
                each.collection_id,
                each.suite.name.value,
                each.subject.name,
                each.expectation.name,
                each.observed,
                each.unexpected_count,
                each.sample,
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
            f"suspicions: {self.n_suspicions}; nothing to look at: {n_empty}"
        )


def check(
    warehouse: Warehouse,
    collections: Collection[str] = (),
    page: Path | None = None,
    progress: Progress = lambda _name, _done, _total: None,
) -> CheckReport:
    """Compare the published warehouse with what is expected of it; record and show the results.

    Of a collection whose marts are not of what is loaded, the raw files alone are checked. Errors:
    UnknownCollectionError, WarehouseMissingError, WarehouseBusyError, and PoolhouseError where an
    expectation cannot be evaluated or the page cannot be written.
    """
    page = page or page_beside(warehouse)
    refuse_bad_place(page, warehouse)
    checked_at = datetime.now(UTC).replace(tzinfo=None)
    with warehouse.read() as connection:
        _asked_for(collection_states(connection), collections)
    # The lock is held from the start: no load comes between what is read and what is recorded, and
    # another writer is told of now and not when the work is done.
    with ExitStack() as drafts:
        with warehouse.change():
            draft = drafts.enter_context(draft_of(page))
            with warehouse.read() as connection:
                states = _asked_for(collection_states(connection), collections)
                work = [
                    (each, suite, subject) for each in states for suite, subject in _parts(each)
                ]
                results = tuple(_results(connection, work, progress))
                parts = [_page_part(connection, state, results) for state in states]
            progress("recording the results", len(work), len(work))
            with warehouse.side() as connection:
                record(connection, results, checked_at)
        draft.publish(render(warehouse.path.name, checked_at, parts))
    return CheckReport(page, results, tuple(_remarks(states)))


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
    # Great Expectations takes seconds to import: what is wrong with the question is said before.
    from poolhouse.expectations.validation import Validator, sample_as_text  # noqa: PLC0415

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


def _page_part(
    connection: duckdb.DuckDBPyConnection, state: CollectionState, results: tuple[Result, ...]
) -> CollectionPart:
    is_current = state.state is State.CURRENT
    return CollectionPart(
        state.collection_id,
        state.state.value,
        is_current,
        [each for each in results if each.collection_key == state.collection_key],
        in_qrels_shares(connection, state.collection_id) if is_current else None,
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
