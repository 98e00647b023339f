"""What was found about an expectation of a collection, in words and as a sample."""

import json
import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from poolhouse.expectations.figures import Figure
from poolhouse.expectations.suites import SAMPLE_SIZE, Expectation
from poolhouse.export.marts import COLLECTION

_NO_ROWS = "[]"


class Finding(NamedTuple):
    """The outcome of one expectation of one collection, as the last columns of a result.

    `success` is None if there were no values, so that the expectation is neither kept nor broken.
    """

    success: bool | None
    observed: str
    unexpected_count: int | None
    sample: str = _NO_ROWS


def found_in_figures(
    expectation: Expectation, figures: Sequence[Figure], broken: Collection[str | None]
) -> Finding:
    """Say what the figures of a collection show.

    `broken` are the objects that Great Expectations found unexpected. None is the collection.
    """
    n_values = sum(each.n_values for each in figures)
    if n_values == 0:
        return Finding(True, "0 rows", 0) if expectation.is_promise else _nothing(expectation)
    first, *_ = figures
    if first.object is not None:
        unexpected = (each for each in figures if each.object in broken)
        named = sorted(unexpected, key=lambda each: each.object or "")
        sample = [json.loads(each.sample)[0] for each in named[:SAMPLE_SIZE]]
        observed = f"{len(named)} of {n_values}"
        return Finding(not named, observed, len(named), sample_as_text(sample))
    if first.n_unexpected is None:
        return Finding(not broken, f"{first.value:.4f}", len(broken))
    of = "rows" if expectation.is_promise else f"of {n_values}"
    return Finding(not broken, f"{first.n_unexpected} {of}", first.n_unexpected, first.sample)


def found_in_rows(expectation: Expectation, success: bool, result: Mapping[str, Any]) -> Finding:
    """Say what Great Expectations found in the rows of a collection."""
    if "element_count" not in result:
        seen = result.get("observed_value", "as expected" if success else "not as expected")
        if seen is None:
            return _nothing(expectation)
        return Finding(success, in_words(seen), None if success else 1)
    n_values = result["element_count"] - result.get("missing_count", 0)
    if n_values == 0:
        return _nothing(expectation)
    rows = result.get("unexpected_index_list") or ()
    sample = [{name: row[name] for name in row if name != COLLECTION} for row in rows]
    n_unexpected = result.get("unexpected_count", 0)
    observed = f"{n_unexpected} of {n_values}"
    return Finding(success, observed, n_unexpected, sample_as_text(sample))


def _nothing(expectation: Expectation) -> Finding:
    return Finding(None, f"nothing to look at: {expectation.needs}".removesuffix(": "), None)


def in_words(value: object) -> str:
    """Write a value for people, a number with four digits."""
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def sample_as_text(sample: Iterable[Mapping[str, object]]) -> str:
    """Write a sample as JSON, in which names cannot be confused with syntax.

    JSON has no infinite numbers and no NaN, so these are null.
    """
    rows = [{column: _json_value(value) for column, value in row.items()} for row in sample]
    return json.dumps(rows, ensure_ascii=False, allow_nan=False, default=str)


def _json_value(value: object) -> object:
    return None if isinstance(value, float) and not math.isfinite(value) else value
