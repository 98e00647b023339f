"""Compute which runs differ, and how far scores generalize, by numpy and scipy.

Scores are a matrix of runs by topics, with NaN where a run does not answer a topic. The sources are
Tukey's and Kramer's procedures from textbooks, the design (Semantics, Estimator errors), and Urbano
et al. 2013.
"""

import math
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from functools import cache
from itertools import combinations

import numpy as np
import numpy.typing as npt
from scipy import stats

Scores = npt.NDArray[np.float64]
# Places of two runs in the matrix, the smaller one first.
Pair = tuple[int, int]

ALPHA = 0.05


def matrix_of(scores: Mapping[str, Mapping[str, float]]) -> Scores:
    """Return a matrix of scores by run and topic, in the order of the runs."""
    topics = sorted({topic for by_topic in scores.values() for topic in by_topic})
    return np.array([[each.get(topic, math.nan) for topic in topics] for each in scores.values()])


def nine_decimals(number: float) -> float:
    """Round a number before it is compared, "or float noise decides"."""
    return round(float(number), 9)


@cache
def critical_t(degrees: int) -> float:
    """Return the critical value of a two-sided test by Student's t."""
    return float(stats.t.isf(ALPHA / 2, degrees))


@cache
def critical_studentized_range(n_runs: int, degrees: int) -> float:
    """Return scipy's critical value, which takes time to compute."""
    return float(stats.studentized_range.isf(ALPHA, n_runs, degrees))


def studentized_range_tail(width: float, n_runs: int, degrees: float) -> float:
    """Return how likely the studentized range is above the width, integrated on a grid.

    The range of n normal numbers is at most r where one of them is the lowest, and the others are
    within r above it. Its unit is an independent deviation with the degrees of freedom.
    """
    lowest = np.linspace(-9, 9, 700)[:, np.newaxis]
    smallest, largest = (
        math.sqrt(stats.chi2.ppf(p, degrees) / degrees) for p in (1e-14, 1 - 1e-14)
    )
    units = np.linspace(smallest, largest, 700)
    within = stats.norm.cdf(lowest + width * units) - stats.norm.cdf(lowest)
    at_most = n_runs * np.trapezoid(
        stats.norm.pdf(lowest) * within ** (n_runs - 1), lowest[:, 0], axis=0
    )
    density = stats.chi2.pdf(degrees * units**2, degrees) * 2 * degrees * units
    return float(np.trapezoid(density * (1 - at_most), units))


def least_squares(scores: Scores) -> tuple[Scores, float, int] | None:
    """Fit score = run + topic; return run effects, mean square and degrees of freedom of the error.

    Return None where the runs cannot all be compared, or where the error has no degree of freedom.
    """
    n_runs, n_topics = scores.shape
    runs, topics = np.nonzero(~np.isnan(scores))
    design = np.zeros((len(runs), n_runs + n_topics))
    rows = np.arange(len(runs))
    design[rows, runs] = 1
    design[rows, n_runs + topics] = 1
    observed = scores[runs, topics]
    effects, _, rank, _ = np.linalg.lstsq(design, observed, rcond=None)
    degrees = len(runs) - int(rank)
    if n_runs < 2 or rank < n_runs + n_topics - 1 or degrees < 1:
        return None
    residuals = observed - design @ effects
    return effects[:n_runs].astype(np.float64), float(residuals @ residuals) / degrees, degrees


def different_by_tukey(scores: Scores) -> set[Pair] | None:
    """Compare all pairs by Tukey's honestly significant difference, in Kramer's form."""
    fitted = least_squares(scores)
    if fitted is None:
        return None
    effects, mean_square, degrees = fitted
    n_topics = (~np.isnan(scores)).sum(axis=1)
    critical = critical_studentized_range(len(scores), degrees)
    return {
        (one, other)
        for one, other in combinations(range(len(scores)), 2)
        if nine_decimals(abs(effects[one] - effects[other]))
        > nine_decimals(
            critical * math.sqrt(mean_square / 2 * (1 / n_topics[one] + 1 / n_topics[other]))
        )
    }


def different_by_paired_t(scores: Scores) -> set[Pair] | None:
    """Compare each pair on the topics that both answer; None where no pair has two."""
    tested, different = 0, set()
    for one, other in combinations(range(len(scores)), 2):
        common = ~np.isnan(scores[one] + scores[other])
        if common.sum() < 2:
            continue
        tested += 1
        gains = scores[one][common] - scores[other][common]
        if np.ptp(gains) < 1e-9:  # the error is 0, or float noise
            is_different = nine_decimals(gains[0]) != 0
        else:
            error = gains.std(ddof=1) / math.sqrt(len(gains))
            is_different = abs(gains.mean()) / error > critical_t(len(gains) - 1)
        if is_different:
            different.add((one, other))
    return different if tested else None


def system_rank_error_star(
    true: Mapping[str, float],
    estimated: Mapping[str, float],
    different: AbstractSet[tuple[str, str]] | None,
) -> int | None:
    """Count, over all runs, the different runs on whose other side a run's estimate is.

    Only runs that differ significantly from the run count.
    """
    if different is None:
        return None
    passed = 0
    for one, other in different:
        for u, v in ((one, other), (other, one)):
            true_v = nine_decimals(true[v])
            passed += (true_v > nine_decimals(true[u])) != (true_v > nine_decimals(estimated[u]))
    return passed


def generalizability(scores: Scores) -> dict[str, float | None]:
    """Estimate variance components and coefficients of a full matrix (Urbano et al., section 3)."""
    n_runs, n_topics = scores.shape
    overall = scores.mean()
    by_run = scores.mean(axis=1, keepdims=True) - overall
    by_topic = scores.mean(axis=0, keepdims=True) - overall
    rest = scores - overall - by_run - by_topic
    runs_mean_square = n_topics * float((by_run**2).sum()) / (n_runs - 1)
    topics_mean_square = n_runs * float((by_topic**2).sum()) / (n_topics - 1)
    residual = float((rest**2).sum()) / ((n_runs - 1) * (n_topics - 1))
    run = max((runs_mean_square - residual) / n_topics, 0.0)
    topic = max((topics_mean_square - residual) / n_runs, 0.0)
    relative, absolute = run + residual / n_topics, run + (topic + residual) / n_topics
    return {
        "run_variance": run,
        "topic_variance": topic,
        "residual_variance": residual,
        "generalizability": run / relative if relative > 1e-12 else None,
        "dependability": run / absolute if absolute > 1e-12 else None,
    }
