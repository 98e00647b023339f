"""Results, one per collection and expectation, and recording them."""

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

import duckdb
import polars as pl

from poolhouse.errors import PoolhouseError
from poolhouse.expectations.declaration import Expectation, Subject, Suite, SuiteName
from poolhouse.warehouse.frames import put_table


@dataclass(frozen=True)
class Result:
    """The result of one expectation of one collection.

    `success` is None if there were no values. `sample` is JSON: some unexpected rows, as the
    columns that name them.
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
    def name_in_words(self) -> str:
        """The name of the expectation in words."""
        return self.expectation.name.replace("_", " ")

    def sample_in_words(self) -> list[str]:
        """Write each row of the sample as its columns and values."""
        return [
            ", ".join(f"{column} {_figure(value)}" for column, value in row.items())
            for row in json.loads(self.sample)
        ]

    @property
    def is_broken_promise(self) -> bool:
        """Whether the result makes the check fail."""
        return self.success is False and self.suite.name.is_promise

    @property
    def is_suspicion(self) -> bool:
        """Whether the result is suspicious."""
        return self.success is False and not self.suite.name.is_promise


def has_marts(results: Iterable[Result]) -> bool:
    """Return whether the check covered marts, and not only the raw files."""
    return any(each.suite.name is not SuiteName.RAW for each in results)


def _figure(value: object) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def sample_as_text(sample: Iterable[dict[str, object]]) -> str:
    """Write a sample as JSON, in which names cannot be confused with syntax.

    JSON has no infinite numbers and no NaN, so these are null.
    """
    rows = [{column: _json_value(value) for column, value in row.items()} for row in sample]
    return json.dumps(rows, ensure_ascii=False, allow_nan=False, default=str)


def _json_value(value: object) -> object:
    return None if isinstance(value, float) and not math.isfinite(value) else value


@dataclass(frozen=True)
class Version:
    """The checked version of a collection: its last load or removal, and its state."""

    load_key: int
    fingerprint: str


def versions(connection: duckdb.DuckDBPyConnection) -> dict[int, Version]:
    """Read the versions of the loaded collections, by their keys."""
    rows = connection.execute(
        """
        select
            history.collection_key,
            max(history.load_key),
            max(states.fingerprint)
        from ops.load_history as history
        inner join ops.collection_fingerprints as states using (collection_key)
        group by history.collection_key
        """
    ).fetchall()
    return {key: Version(load_key, fingerprint) for key, load_key, fingerprint in rows}


_RECORDED: dict[str, type[pl.DataType] | pl.DataType] = {
    "collection_key": pl.Int32,
    "collection_id": pl.String,
    "suite": pl.String,
    "subject": pl.String,
    "expectation": pl.String,
    "column_name": pl.String,
    "success": pl.Boolean,
    "observed": pl.String,
    "unexpected_count": pl.Int64,
    "sample": pl.String,
    "load_key": pl.Int32,
    "fingerprint": pl.String,
    "checked_at": pl.Datetime("us"),
}


def record(
    connection: duckdb.DuckDBPyConnection,
    results: Sequence[Result],
    of: Mapping[int, Version],
    checked_at: datetime,
) -> None:
    """Add the results, each with the checked version of its collection.

    This version is kept in the history if a load, build or removal happens in between. Raise
    PoolhouseError where there is no such version, because another warehouse has replaced the file.
    """
    rows = [
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
            of[each.collection_key].load_key,
            of[each.collection_key].fingerprint,
            checked_at,
        )
        for each in results
    ]
    frame = pl.DataFrame(rows, schema=_RECORDED, orient="row")
    put_table(connection, "recorded", frame)
    strangers = connection.execute(
        """
        select distinct collection_id
        from recorded
        anti join ops.load_history using (collection_key, collection_id, load_key)
        """
    ).fetchall()
    if strangers:
        raise PoolhouseError("the checked warehouse was replaced by another one")
    connection.execute("insert into ops.quality_results by name from recorded")
