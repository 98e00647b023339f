"""The recorded results of the last check of a collection."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any

from poolhouse.expectations.checking import SUITES
from poolhouse.expectations.declaration import Expectation, Subject, Suite
from poolhouse.expectations.results import Result, has_marts
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.frame_queries import query_frame

_Key = tuple[str, str, str, str | None]

_NO_KEY = 0  # the marts name a collection by its id alone

# One row per result of the last check of each collection.
_LAST_CHECKS = """
    select
        results.collection_id,
        results.suite,
        results.subject,
        results.expectation,
        results.column_name,
        results.success,
        results.observed,
        results.unexpected_count,
        results.sample,
        results.checked_at,
        coalesce(
            results.fingerprint = loaded.fingerprint
            and coalesce(builds.built_at, results.checked_at) <= results.checked_at,
            false
        ) as is_current
    from fct_quality_results as results
    inner join raw.collections as collections
        on results.collection_id = collections.collection_id
    inner join ops.collection_fingerprints as loaded
        on collections.collection_key = loaded.collection_key
    left join ops.builds as builds
        on collections.collection_key = builds.collection_key
    where list_contains($collections, results.collection_id)
    qualify results.checked_at = max(results.checked_at) over (partition by results.collection_id)
"""


@dataclass(frozen=True)
class RecordedCheck:
    """The results of one check of a collection, and when it started (UTC).

    `is_current` says whether the collection was neither loaded nor built since.
    """

    checked_at: datetime
    is_current: bool
    results: tuple[Result, ...]

    @property
    def has_marts(self) -> bool:
        """Whether the marts were current at the check, and therefore checked."""
        return has_marts(self.results)

    @property
    def broken(self) -> list[Result]:
        """Promises that did not hold."""
        return [each for each in self.results if each.is_broken_promise]

    @property
    def suspicions(self) -> list[Result]:
        """Results that are worth a question."""
        return [each for each in self.results if each.is_suspicion]

    @property
    def n_kept(self) -> int:
        """Count the promises that held."""
        return sum(each.success is True and each.suite.name.is_promise for each in self.results)

    @property
    def not_evaluated(self) -> list[Result]:
        """Suspicions of which nothing can be said; a promise about no rows is trivial."""
        return [
            each for each in self.results if each.success is None and not each.suite.name.is_promise
        ]


def last_checks(warehouse: Warehouse, collections: Sequence[str]) -> dict[str, RecordedCheck]:
    """Return the last recorded check of each collection that was ever checked.

    Results of expectations that this version does not have are left out. Raise PoolhouseError where
    the warehouse cannot be read.
    """
    rows = query_frame(warehouse, _LAST_CHECKS, {"collections": list(collections)})
    return {
        collection: _check(collection, of_collection.to_dicts())
        for (collection,), of_collection in rows.partition_by("collection_id", as_dict=True).items()
    }


def _check(collection: str, rows: list[dict[str, Any]]) -> RecordedCheck:
    by_key = {_key(row): row for row in rows}
    results = tuple(_result(collection, by_key[key]) for key in _expectations() if key in by_key)
    is_current = all(row["is_current"] for row in rows)
    return RecordedCheck(rows[0]["checked_at"], is_current, results)


def _key(row: dict[str, Any]) -> _Key:
    return row["suite"], row["subject"], row["expectation"], row["column_name"]


@cache
def _expectations() -> dict[_Key, tuple[Suite, Subject, Expectation]]:
    return {
        (suite.name.value, subject.name, each.name, each.column): (suite, subject, each)
        for suite in SUITES
        for subject in suite.subjects
        for each in subject.expectations
    }


def _result(collection: str, row: dict[str, Any]) -> Result:
    suite, subject, expectation = _expectations()[_key(row)]
    return Result(
        _NO_KEY,
        collection,
        suite,
        subject,
        expectation,
        row["success"],
        row["observed"],
        row["unexpected_count"],
        row["sample"],
    )
