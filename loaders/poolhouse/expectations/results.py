"""Results, one per collection and expectation, and recording them."""

import json
import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import duckdb
import polars as pl

from poolhouse.errors import PoolhouseError
from poolhouse.expectations.figures import Figure, is_of_files
from poolhouse.expectations.suites import CRITICAL, SAMPLE_SIZE, Expectation
from poolhouse.export.marts import COLLECTION
from poolhouse.warehouse.frames import put_table

_QUERIES = Path(__file__).with_name("queries")
_NOTHING = "nothing to look at"
_NO_ROWS = "[]"


@dataclass(frozen=True)
class Finding:
    """The outcome of one expectation of one collection.

    `success` is None if there were no values, so that the expectation is neither kept nor broken.
    `sample` is JSON: some unexpected rows, as the columns that name them.
    """

    success: bool | None
    observed: str
    unexpected_count: int | None
    sample: str = _NO_ROWS


@dataclass(frozen=True)
class Result:
    """The result of one expectation of one collection, with the texts that it had at the check."""

    collection_id: str
    suite: str
    subject: str
    expectation: str
    figure: str | None
    severity: str
    success: bool | None
    observed: str
    unexpected_count: int | None
    sample: str
    meaning: str
    advice: str

    @classmethod
    def of(
        cls, collection: str, suite: str, subject: str, expectation: Expectation, found: Finding
    ) -> "Result":
        """Put an expectation and what was found about it together."""
        return cls(
            collection,
            suite,
            subject,
            expectation.name,
            expectation.figure,
            expectation.severity,
            found.success,
            found.observed,
            found.unexpected_count,
            found.sample,
            expectation.meaning,
            expectation.advice,
        )

    @property
    def name_in_words(self) -> str:
        """The name of the expectation in words."""
        return self.expectation.replace("_", " ")

    def sample_in_words(self) -> list[str]:
        """Write each row of the sample as its columns and values."""
        return [
            ", ".join(f"{column} {_in_words(value)}" for column, value in row.items())
            for row in json.loads(self.sample)
        ]

    @property
    def is_promise(self) -> bool:
        """Whether it is an error if the expectation does not hold."""
        return self.severity == CRITICAL

    @property
    def is_broken_promise(self) -> bool:
        """Whether the result makes the check fail."""
        return self.success is False and self.is_promise

    @property
    def is_suspicion(self) -> bool:
        """Whether the result is suspicious."""
        return self.success is False and not self.is_promise


def has_marts(results: Iterable[Result]) -> bool:
    """Return whether the check covered marts, and not only the loaded files."""
    return not all(is_of_files(each.subject) for each in results)


def found_in_figures(
    expectation: Expectation, figures: Sequence[Figure], broken: Collection[str | None]
) -> Finding:
    """Say what the figures of a collection show.

    `broken` are the objects that Great Expectations found unexpected. None is the collection.
    """
    n_values = sum(each.n_values for each in figures)
    if n_values == 0 and not expectation.is_promise:
        return nothing_found(expectation)
    of_objects = [each for each in figures if each.object is not None]
    if of_objects:
        unexpected = [each for each in of_objects if each.object in broken]
        observed = f"{len(unexpected)} of {n_values}"
        return Finding(not unexpected, observed, len(unexpected), _first_rows(unexpected))
    [figure] = figures or [Figure(None, 0, 0, None, _NO_ROWS)]
    n_unexpected = figure.n_unexpected
    if n_unexpected is None and figure.value is not None:
        return Finding(not broken, f"{figure.value:.4f}", len(broken))
    n_unexpected = n_unexpected or 0
    observed = f"{n_unexpected} rows" if expectation.is_promise else f"{n_unexpected} of {n_values}"
    return Finding(not broken, observed, n_unexpected, figure.sample)


def found_in_rows(expectation: Expectation, success: bool, result: Mapping[str, Any]) -> Finding:
    """Say what Great Expectations found in the rows of a collection."""
    n_values = result.get("element_count", 1) - result.get("missing_count", 0)
    if n_values == 0:
        return nothing_found(expectation)
    if "unexpected_count" not in result:
        observed = _in_words(result.get("observed_value", ""))
        return Finding(success, observed, None if success else 1)
    n_unexpected = result["unexpected_count"]
    rows = result.get("unexpected_index_list") or ()
    sample = [{name: row[name] for name in row if name != COLLECTION} for row in rows]
    return Finding(success, f"{n_unexpected} of {n_values}", n_unexpected, sample_as_text(sample))


def nothing_found(expectation: Expectation) -> Finding:
    """Say that there was nothing to look at, and what would be needed."""
    return Finding(None, ": ".join(filter(None, (_NOTHING, expectation.needs))), None)


def _first_rows(figures: Iterable[Figure]) -> str:
    """Put the samples of the first objects together, in the order of their names."""
    in_order = sorted(figures, key=lambda each: each.object or "")
    return sample_as_text([json.loads(each.sample)[0] for each in in_order[:SAMPLE_SIZE]])


def _in_words(value: object) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def sample_as_text(sample: Iterable[Mapping[str, object]]) -> str:
    """Write a sample as JSON, in which names cannot be confused with syntax.

    JSON has no infinite numbers and no NaN, so these are null.
    """
    rows = [{column: _json_value(value) for column, value in row.items()} for row in sample]
    return json.dumps(rows, ensure_ascii=False, allow_nan=False, default=str)


def _json_value(value: object) -> object:
    return None if isinstance(value, float) and not math.isfinite(value) else value


@dataclass(frozen=True)
class Version:
    """The checked version of a collection: its key, its last load or removal, and its state."""

    collection_key: int
    load_key: int
    fingerprint: str


def versions(connection: duckdb.DuckDBPyConnection) -> dict[int, Version]:
    """Read the versions of the loaded collections, by their keys."""
    rows = connection.execute(_query("versions")).fetchall()
    return {key: Version(key, load_key, fingerprint) for key, load_key, fingerprint in rows}


def record(
    connection: duckdb.DuckDBPyConnection,
    results: Sequence[Result],
    of: Mapping[str, Version],
    checked_at: datetime,
) -> None:
    """Add the results, each with the checked version of its collection, by name.

    Raise PoolhouseError where there is no such version, because another warehouse has replaced the
    file.
    """
    frame = pl.DataFrame(results, infer_schema_length=None).with_columns(checked_at=checked_at)
    seen = pl.DataFrame([{"collection_id": name, **vars(each)} for name, each in of.items()])
    put_table(connection, "recorded", frame.join(seen, on="collection_id"))
    [(n_recorded,)] = connection.execute(_query("record")).fetchall()
    if n_recorded < len(results):
        raise PoolhouseError("the checked warehouse was replaced by another one")


def _query(name: str) -> str:
    return (_QUERIES / f"{name}.sql").read_text(encoding="utf-8")
