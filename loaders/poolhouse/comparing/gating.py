"""A gate for a change of a search system, whose run must not be worse than the baseline.

docs/gate.md has the rules.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple

import polars as pl

from poolhouse.comparing.comparison import CONFIDENCE, compare
from poolhouse.comparing.comparison_words import conclusion_of
from poolhouse.comparing.differences import COMPARED_DECIMALS
from poolhouse.comparing.expected_differences import finding_of
from poolhouse.comparing.requests import ComparisonRequest, GateRequest
from poolhouse.comparing.significance import t_quantile
from poolhouse.errors import PoolhouseError
from poolhouse.option_values import LEVEL
from poolhouse.output.cells import as_text
from poolhouse.scoring.asked_runs import names_of
from poolhouse.warehouse.file import Warehouse

_Row = Mapping[str, Any]
_Interval = tuple[float, float] | None


class Verdict(StrEnum):
    """What the gate says of a measure, and of all measures together."""

    FAILED = "failed"
    CANNOT_BE_TOLD = "cannot be told"
    PASSED = "passed"


EXIT_STATUSES = {Verdict.PASSED: 0, Verdict.FAILED: 1, Verdict.CANNOT_BE_TOLD: 3}

# Degrees of freedom at which Student's t is normal: topics are no part of the error.
_NORMAL = 1e9


class _Said(NamedTuple):
    verdict: Verdict
    said: str
    needs: str | None = None


@dataclass(frozen=True)
class Gate:
    """The verdicts: one row per measure, in the order of the request; docs/gate.md lists columns.

    `remarks` are cautions about the rows.
    """

    rows: pl.DataFrame
    remarks: tuple[str, ...]

    @property
    def verdict(self) -> Verdict:
        """The verdict on all measures: the worst one."""
        found = set(self.rows["verdict"])
        return next(each for each in Verdict if each in found)

    @property
    def exit_status(self) -> int:
        """The exit status of the command."""
        return EXIT_STATUSES[self.verdict]

    @property
    def measure_to_settle(self) -> str | None:
        """The first measure whose verdict judgements of unjudged documents could settle."""
        found = self.rows.filter(needs="judgements")["measure"]
        return None if found.is_empty() else str(found[0])


def gate(warehouse: Warehouse, request: GateRequest) -> Gate:
    """Say whether a run passes. Raise the errors of `compare`."""
    for name, allowed in (("loss", request.max_loss), ("gain", request.min_gain)):
        # Also where it is not a number.
        if allowed is not None and not allowed >= 0:
            raise PoolhouseError(f"the {name} must be a number from 0 on, and is {allowed}")
    runs = [request.run, request.baseline]
    asked = ComparisonRequest(
        request.collection,
        runs,
        request.measures,
        names_of([request.baseline]),
        has_cases=False,
    )
    comparison = compare(warehouse, asked)
    n_measures = comparison.rows.height
    rows = [judged(row, n_measures, request) for row in comparison.rows.iter_rows(named=True)]
    return Gate(pl.DataFrame(rows, schema=_SCHEMA), comparison.remarks)


def _corrected(row: _Row, n_measures: int) -> dict[str, Any]:
    """Return a comparison with p-values and intervals that are corrected for so many measures.

    The p-values are those that the sentence of a comparison names.
    """
    confidence = 1 - LEVEL / n_measures
    corrected: dict[str, Any] = {**row, "confidence": confidence}
    for p_value in ("t_p_value", "p_value_if_judged"):
        p = row[p_value]
        corrected[f"{p_value}_holm"] = None if p is None else min(1.0, n_measures * p)
    sides = (
        ("mean_difference", "interval_low", "interval_high", row["n_topics"] - 1),
        *[("difference_if_judged", "low_if_judged", "high_if_judged", _degrees(row))],
    )
    for difference, low, high, degrees in sides:
        if row[low] is not None:
            wider = _quantile(degrees, confidence) / _quantile(degrees, CONFIDENCE)
            for end in (low, high):
                corrected[end] = row[difference] + (row[end] - row[difference]) * wider
    names = ("t_p_value_holm", "p_value_if_judged_holm")
    return {**corrected, "finding": finding_of(corrected, *names, LEVEL)}


def _degrees(row: _Row) -> float:
    return float(row["degrees_of_freedom_if_judged"] or 0)


def _quantile(degrees: float, confidence: float) -> float:
    return float(t_quantile(degrees, confidence))


def judged(compared: _Row, n_measures: int, request: GateRequest) -> dict[str, object]:
    """Return the row of the gate for a row of a comparison by so many measures."""
    row = _corrected(compared, n_measures)
    is_estimated = row["finding"] is not None and row["difference_if_judged"] is not None
    interval = _interval(row, is_estimated=is_estimated)
    verdict, said, needs = _verdict(row, interval, request)
    if verdict is Verdict.CANNOT_BE_TOLD and needs is None:
        after = _verdict(row, _interval_of_topics(row) if is_estimated else interval, request)
        needs = "topics" if after.verdict is verdict else "judgements"
        if is_estimated and needs == "topics":
            said += ", and judgements would leave this open, because there are few topics"
    low, high = interval or (None, None)
    return {
        **{name: row[name] for name in _SCHEMA if name in row},
        "verdict": verdict,
        "reason": f"{said}; {conclusion_of(row)}",
        "difference": row["difference_if_judged" if is_estimated else "mean_difference"],
        "low": low,
        "high": high,
        "is_estimated": is_estimated,
        "needs": needs,
    }


def _verdict(row: _Row, interval: _Interval, request: GateRequest) -> _Said:
    """Return the worst verdict by what is allowed."""
    if row["finding"] == "cannot be told":
        return _by_judgements("too much is unjudged")
    has_limits = request.max_loss is not None or request.min_gain is not None
    if interval is None and (has_limits or row["finding"] is None):
        return _Said(Verdict.CANNOT_BE_TOLD, "the difference has no interval", "topics")
    if interval is None or not has_limits:
        return _on_regression(row, interval)
    found = [
        *([_on_loss(row, interval, request.max_loss)] if request.max_loss is not None else []),
        *([_on_gain(row, interval, request.min_gain)] if request.min_gain is not None else []),
    ]
    return min(found, key=lambda each: list(Verdict).index(each.verdict))


def _interval(row: _Row, *, is_estimated: bool) -> _Interval:
    """Return the interval of the difference that counts, or None where it cannot be told.

    Where no judgement could reverse a difference that cannot be estimated, its sign is known.
    """
    if row["finding"] == "cannot be told":
        return None
    if row["finding"] is not None and not is_estimated:
        return (0.0, float("inf")) if row["mean_difference"] > 0 else (float("-inf"), 0.0)
    names = (
        ("low_if_judged", "high_if_judged", "difference_if_judged", "error_if_judged")
        if is_estimated
        else ("interval_low", "interval_high", "mean_difference", "standard_error")
    )
    low, high, difference, error = (row[name] for name in names)
    if low is not None:
        return low, high
    # The difference is the same on all topics.
    if is_estimated and error:
        half = _quantile(_NORMAL, row["confidence"]) * error
        return difference - half, difference + half
    # A point, if that is no accident of few topics.
    is_point = error == 0 and (
        difference == 0 or row["randomization_p_value"] < 1 - row["confidence"]
    )
    return (difference, difference) if is_point else None


def _interval_of_topics(row: _Row) -> _Interval:
    """Return the expected interval if all documents were judged: topics are its only error."""
    n, degrees = row["n_topics"] - 1, _degrees(row)
    if not degrees:
        return None
    # The degrees of freedom have the share of topics in the variance.
    error = row["error_if_judged"] * (n / degrees) ** 0.25
    half = _quantile(n, row["confidence"]) * error
    return row["difference_if_judged"] - half, row["difference_if_judged"] + half


def _on_loss(row: _Row, interval: tuple[float, float], most: float) -> _Said:
    low, high = interval
    allowed = f"a loss of {as_text(float(most))}"
    if high < -most:
        return _unless_by_ties(row, -1, Verdict.FAILED, f"more than {allowed}")
    if low > -most or low == high:
        return _Said(Verdict.PASSED, f"not more than {allowed}")
    return _Said(Verdict.CANNOT_BE_TOLD, f"perhaps more than {allowed}, perhaps not")


def _on_gain(row: _Row, interval: tuple[float, float], least: float) -> _Said:
    low, high = interval
    asked = f"a gain of {as_text(float(least))}"
    if low >= least:
        return _unless_by_ties(row, 1, Verdict.PASSED, f"at least {asked}")
    if high < least:
        return _unless_by_ties(row, -1, Verdict.FAILED, f"less than {asked}")
    return _Said(Verdict.CANNOT_BE_TOLD, f"perhaps {asked}, perhaps not")


def _on_regression(row: _Row, interval: _Interval) -> _Said:
    """Fail a run that is worse as judged, and if every document were judged."""
    finding = row["finding"]
    expected = row["difference_if_judged"] or 0
    is_lower = row["mean_difference"] < 0
    is_worse = (
        interval[1] < 0
        if finding is None and interval
        else finding in ("holds", "holds as estimated") and is_lower
    )
    if is_worse:
        return _unless_by_ties(row, -1, Verdict.FAILED, "a regression that holds")
    if finding == "only as judged" and is_lower and expected < 0:
        return _by_judgements("a loss as judged, and perhaps if every document were judged")
    if finding in ("reversed", "hidden") and expected < 0:
        return _by_judgements("a loss is expected that the judgements do not show")
    return _Said(Verdict.PASSED, "no regression that holds")


def _by_judgements(said: str) -> _Said:
    return _Said(Verdict.CANNOT_BE_TOLD, said, "judgements")


def _unless_by_ties(row: _Row, sign: int, verdict: Verdict, said: str) -> _Said:
    """Take back a verdict on a difference that the order of tied documents could reverse."""
    if (
        sign * round(row["mean_difference"], COMPARED_DECIMALS) > 0
        and row["survives_ties"] is False
    ):
        said += ", but tied documents in another order could undo it"
        return _Said(Verdict.CANNOT_BE_TOLD, said, "ties")
    return _Said(verdict, said)


_SCHEMA: dict[str, type[pl.DataType]] = {
    **dict.fromkeys(("collection_id", "measure", "run_id", "other_run_id"), pl.String),
    **dict.fromkeys(("verdict", "reason"), pl.String),
    **dict.fromkeys(("difference", "low", "high", "confidence"), pl.Float64),
    "is_estimated": pl.Boolean,
    "finding": pl.String,
    "needs": pl.String,
    **dict.fromkeys(("mean_score", "other_mean_score", "mean_difference"), pl.Float64),
    **dict.fromkeys(("unjudged_share", "other_unjudged_share"), pl.Float64),
}
