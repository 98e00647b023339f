"""The recorded results of the last check of a collection."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any

from poolhouse.expectations.queries import query
from poolhouse.expectations.results import Result, Results
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.frame_queries import query_frame

_FIELDS = [field.name for field in fields(Result)]


@dataclass(frozen=True)
class RecordedCheck(Results):
    """The results of one check of a collection, and when it started (UTC).

    `is_current` says whether the collection was neither loaded nor built since.
    """

    checked_at: datetime
    is_current: bool


def last_checks(warehouse: Warehouse, collections: Sequence[str]) -> dict[str, RecordedCheck]:
    """Return the last recorded check of each collection that was ever checked.

    Raise PoolhouseError where the warehouse cannot be read.
    """
    rows = query_frame(warehouse, query("last_checks"), {"collections": list(collections)})
    by_collection = rows.partition_by("collection_id", as_dict=True)
    return {name: _check(of_it.to_dicts()) for (name,), of_it in by_collection.items()}


def _check(rows: Sequence[dict[str, Any]]) -> RecordedCheck:
    results = tuple(Result(**{name: row[name] for name in _FIELDS}) for row in rows)
    return RecordedCheck(results, rows[0]["checked_at"], all(row["is_current"] for row in rows))
