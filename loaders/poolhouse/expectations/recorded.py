"""The recorded results of the last check of a collection."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from poolhouse.expectations.results import Result, has_marts
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.frame_queries import query_frame

_LAST_CHECKS = Path(__file__).with_name("queries") / "last_checks.sql"


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
        return sum(each.success is True and each.is_promise for each in self.results)

    @property
    def not_evaluated(self) -> list[Result]:
        """Suspicions of which nothing can be said; a promise about no rows is trivial."""
        return [each for each in self.results if each.success is None and not each.is_promise]


def last_checks(warehouse: Warehouse, collections: Sequence[str]) -> dict[str, RecordedCheck]:
    """Return the last recorded check of each collection that was ever checked.

    Raise PoolhouseError where the warehouse cannot be read.
    """
    query = _LAST_CHECKS.read_text(encoding="utf-8")
    rows = query_frame(warehouse, query, {"collections": list(collections)})
    return {
        collection: _check(of_collection.to_dicts())
        for (collection,), of_collection in rows.partition_by("collection_id", as_dict=True).items()
    }


def _check(rows: list[dict[str, Any]]) -> RecordedCheck:
    *_, last = rows
    checked_at, is_current = last["checked_at"], all(row.pop("is_current") for row in rows)
    results = tuple(
        Result(**{name: value for name, value in row.items() if name != "checked_at"})
        for row in rows
    )
    return RecordedCheck(checked_at, is_current, results)
