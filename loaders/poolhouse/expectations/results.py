"""Results: one per collection and expectation, as they are shown, recorded and rendered."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import duckdb

from poolhouse.expectations.declaration import Expectation, Subject, Suite


@dataclass(frozen=True)
class Result:
    """What came of one expectation of one collection.

    `success` is None where there was nothing to look at. `sample` is JSON: some of the unexpected
    rows, as the columns that name them.
    """

    collection_key: int
    collection_id: str
    suite: Suite
    subject: Subject
    expectation: Expectation
    success: bool | None
    observed: str
    unexpected_count: int | None
    sample: str

    @property
    def is_broken_promise(self) -> bool:
        """Whether it makes the check fail."""
        return self.success is False and self.suite.name.is_promise

    @property
    def is_suspicion(self) -> bool:
        """Whether it is something to look at."""
        return self.success is False and not self.suite.name.is_promise


def record(
    connection: duckdb.DuckDBPyConnection, results: Sequence[Result], checked_at: datetime
) -> None:
    """Add the results, each with the last load or removal of its collection, and its state."""
    fingerprints = dict(
        connection.execute(
            "select collection_key, fingerprint from ops.collection_fingerprints"
        ).fetchall()
    )
    connection.begin()
    connection.executemany(
        """
        insert into ops.quality_results by name
        select
            $1 as collection_key, $2 as collection_id, $3 as suite, $4 as subject,
            $5 as expectation, $6 as column_name, $7 as success, $8 as observed,
            $9 as unexpected_count, $10 as sample,
            (select max(load_key) from ops.load_history where collection_key = $1) as load_key,
            $11 as fingerprint, $12 as checked_at
        """,
        [
            (
                each.collection_key,
                each.collection_id,
                each.suite.name.value,
                each.subject.name,
                each.expectation.name,
                each.expectation.column,
                each.success,
                each.observed,
                each.unexpected_count,
                each.sample,
                fingerprints.get(each.collection_key),
                checked_at,
            )
            for each in results
        ],
    )
    connection.commit()
