"""Significance: whether a mean difference comes from the systems, or from the choice of topics.

The module has tests of paired scores, and corrections for many tests. Formulas and sources are in
docs/comparing.md.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from scipy import stats

_Floats = npt.NDArray[np.float64]

# Repetitions at once, and sign flips at once, which take 20 MB.
_BATCH, _FLIPS = 10_000, 2_500_000

# Further decimals of differences of means, and of their squares, are rounding errors, as in SQL.
_DECIMALS = 12
_DECIMALS_OF_SQUARES = 18


def t_p_value(paired_t: float | None, n_topics: int) -> float | None:
    """Return the two-sided p-value of Student's paired t-test, or None if there is no t."""
    if paired_t is None:
        return None
    return float(2 * stats.t.sf(abs(paired_t), n_topics - 1))


def t_interval(
    mean: float, standard_error: float | None, n_topics: int, confidence: float
) -> tuple[float, float] | None:
    """Return the interval of a mean over topics, by Student's t.

    Return None if the standard error is missing or 0, because a point would look like certainty.
    """
    if not standard_error:
        return None
    half = float(stats.t.ppf((1 + confidence) / 2, n_topics - 1)) * standard_error
    return mean - half, mean + half


def is_exact(n_topics: int, repetitions: int) -> bool:
    """Return whether all ways to flip the signs are computed."""
    return 1 << n_topics <= repetitions


def sign_flip_p_value(differences: Sequence[float], repetitions: int, seed: int) -> float:
    """Return the two-sided p-value of Fisher's randomization test of paired scores.

    `differences` has one difference per topic. If the systems are equal, either sign of a
    difference is equally likely. The test computes all ways to flip the signs, or `repetitions`
    ways drawn with `seed`, which include the observed signs.
    """
    if len(differences) == 1:
        return 1.0  # either sign is as far from 0, and scipy takes two or more
    found = stats.permutation_test(
        (np.asarray(differences, dtype=np.float64),),
        _mean_without_noise,
        permutation_type="samples",
        vectorized=True,
        n_resamples=repetitions,
        batch=max(1, min(_BATCH, _FLIPS // len(differences))),
        alternative="two-sided",
        rng=np.random.default_rng(seed),
    )
    return float(found.pvalue)


def _mean_without_noise(differences: _Floats, axis: int) -> _Floats:
    """Return the mean to 12 decimals, so that means with different rounding errors are equal."""
    means: _Floats = np.mean(differences, axis=axis)
    return np.round(means, _DECIMALS)


def tukey_p_values(scores: _Floats, pairs: Sequence[tuple[int, int]]) -> list[float | None]:
    """Return the p-values of Tukey's honestly significant difference for pairs of runs.

    `scores` is a matrix of runs by topics without gaps, and a pair has the places of two runs in
    it. Each pair is one of all pairs of the matrix, so that no correction is due. The error is the
    residual of score = run + topic, as in docs/decisions/significance.md. The p-values are None
    where there is no error to compare with: for a single topic, and where the runs have the same
    differences on all topics.
    """
    n_runs, n_topics = scores.shape
    degrees = (n_runs - 1) * (n_topics - 1)
    means = scores.mean(axis=1)
    residuals = scores - means[:, np.newaxis] - scores.mean(axis=0) + means.mean()
    error_square = round(float(np.square(residuals).sum()), _DECIMALS_OF_SQUARES)
    if not pairs or not degrees or not error_square:
        return [None] * len(pairs)
    differences = np.abs(np.subtract(*means[np.transpose(pairs)]))
    ranges = np.round(differences, _DECIMALS) / np.sqrt(error_square / degrees / n_topics)
    return [float(p) for p in stats.studentized_range.sf(ranges, n_runs, degrees)]


def bonferroni(p_values: Sequence[float | None]) -> list[float | None]:
    """Correct p-values by Bonferroni: each times their number, 1 at most.

    A missing p-value counts in the number, and stays missing.
    """
    n = len(p_values)
    return [None if p is None else min(1.0, n * p) for p in p_values]


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """Correct p-values by Holm's steps down: the smallest times n, the next times n - 1, ...

    No corrected value is below the corrected value of a smaller p-value, or above 1. A missing
    p-value counts, comes last and stays missing.
    """
    corrected: list[float | None] = [None] * len(p_values)
    known = [(p, position) for position, p in enumerate(p_values) if p is not None]
    highest = 0.0
    for step, (p, position) in enumerate(sorted(known)):
        highest = max(highest, min(1.0, (len(p_values) - step) * p))
        corrected[position] = highest
    return corrected
