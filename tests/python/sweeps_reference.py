"""Compute Figure 1 and the sweeps over weights and triggers of Lipani et al. 2015, section 5.1."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from fractions import Fraction
from itertools import groupby
from statistics import fmean, stdev

import reference
from reference import Collection, Reference, Rows

Indicators = Mapping[str, Fraction]

# "replacing lambda with Delta P or Delta antiP": a run suffers from the pool where the pooled runs'
# precision rises (Delta P > 0) or their anti-precision falls (Delta antiP < 0), section 3.2.
TRIGGERS: dict[str, Callable[[Indicators], bool]] = {
    "lambda": lambda each: each["bias_lambda"] > 0,
    "delta_precision": lambda each: each["delta_precision"] > 0,
    "delta_anti_precision": lambda each: each["delta_anti_precision"] < 0,
    "always": lambda _: True,
}


@contextmanager
def by_alpha(collection: Collection, alpha: Fraction) -> Iterator[Reference]:
    """Yield the reference of a collection in which runs are merged by this weight."""
    before = reference.ALPHA
    reference.ALPHA = alpha
    try:
        yield Reference(collection)
    finally:
        reference.ALPHA = before


def corrected(each: Indicators, trigger: str) -> Fraction:
    """Return the correction k max(Delta k, 0) where the trigger holds (algorithm 1)."""
    if not TRIGGERS[trigger](each):
        return Fraction()
    return each["unjudged_rate"] * max(each["delta_unjudged_rate"], Fraction())


def residual(of: Reference, run: str, level: str, subset: str, cutoff: int) -> float:
    """Return the true score minus the unpooled score."""
    estimates = of.estimates[(level, subset, f"P@{cutoff}", "nonrelevant"), "unadjusted"]
    true, unpooled, _ = estimates[run]
    return true - unpooled


def triggers(of: Reference) -> Rows:
    """Return one row per level, subset, measure and trigger."""
    rows: Rows = {}
    for (level, subset, cutoff), runs in _cases(of):
        for trigger, holds in TRIGGERS.items():
            corrections = {run: corrected(each, trigger) for run, each in runs.items()}
            rows[of.collection.name, level, subset, f"P@{cutoff}", trigger] = {
                "n_runs": len(runs),
                "n_triggered": sum(holds(each) for each in runs.values()),
                "n_corrected": sum(correction > 0 for correction in corrections.values()),
                "mae": fmean(
                    abs(float(correction) - residual(of, run, level, subset, cutoff))
                    for run, correction in corrections.items()
                ),
            }
    return rows


def sweep(of: Reference) -> Rows:
    """Return one row per level, subset and measure, by the weight of the reference."""
    by_trigger = triggers(of)
    rows: Rows = {}
    for (level, subset, cutoff), runs in _cases(of):
        row = dict(by_trigger[of.collection.name, level, subset, f"P@{cutoff}", "lambda"])
        for name in ("delta_precision", "delta_anti_precision"):
            values = [float(each[name]) for each in runs.values()]
            row[name] = fmean(values)
            row[f"{name}_deviation"] = stdev(values) if len(values) > 1 else None
        row["adjustment"] = fmean(float(corrected(each, "lambda")) for each in runs.values())
        rows[level, subset, f"P@{cutoff}"] = row
    return rows


def figure_1(of: Reference) -> Rows:
    """Return one row per pooled run, subset and cutoff, at the level leave one organization out."""
    return {
        (of.collection.name, run, subset, cutoff): {
            "delta_precision": float(each["delta_precision"]),
            "delta_anti_precision": float(each["delta_anti_precision"]),
            "bias_lambda": float(each["bias_lambda"]),
            "residual": residual(of, run, level, subset, cutoff),
        }
        for (run, level, subset, cutoff), each in of.indicators.items()
        if level == "organization"
    }


def _cases(of: Reference) -> Iterator[tuple[tuple[str, str, int], dict[str, Indicators]]]:
    """Yield level, subset and cutoff, with the indicators of the runs."""
    by_case = sorted(of.indicators, key=lambda key: key[1:])
    for case, keys in groupby(by_case, key=lambda key: key[1:]):
        yield case, {key[0]: of.indicators[key] for key in keys}
