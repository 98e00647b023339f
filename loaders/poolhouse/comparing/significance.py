"""Significance: whether a mean difference comes from the systems, or from the choice of topics.

The module has tests of paired scores, and corrections for many tests. Formulas and sources are in
docs/comparing.md.
"""

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt
from scipy import special

_Floats = npt.NDArray[np.float64]

# Repetitions at once, and sign flips at once, which take 20 MB. Another number draws other flips.
_BATCH, _FLIPS = 10_000, 2_500_000

# Further decimals of differences of means, and of their squares, are rounding errors, as in SQL.
_DECIMALS = 12
_DECIMALS_OF_SQUARES = 18

_A_PAIR = 2


def t_p_value(paired_t: float | None, n_topics: int) -> float | None:
    """Return the two-sided p-value of Student's paired t-test, or None if there is no t."""
    if paired_t is None:
        return None
    return float(2 * special.stdtr(n_topics - 1, -abs(paired_t)))


def t_quantile(degrees: float | _Floats, confidence: float) -> _Floats:
    """Return the half width of Student's two-sided interval, in standard errors."""
    quantiles: _Floats = special.stdtrit(degrees, (1 + confidence) / 2)
    return quantiles


def t_interval(
    mean: float, standard_error: float | None, n_topics: int, confidence: float
) -> tuple[float, float] | None:
    """Return the interval of a mean over topics, by Student's t.

    Return None if the standard error is missing or 0, because a point would look like certainty.
    """
    if not standard_error:
        return None
    half = float(t_quantile(n_topics - 1, confidence)) * standard_error
    return mean - half, mean + half


def is_exact(n_topics: int, repetitions: int) -> bool:
    """Return whether all ways to flip the signs are computed."""
    return 1 << n_topics <= repetitions


def sign_flip_p_values(
    differences: Sequence[Sequence[float]], repetitions: int, seed: int
) -> list[float]:
    """Return the two-sided p-values of Fisher's randomization test of paired scores.

    `differences` has one difference per topic for each pair, of as many topics each. If the systems
    are equal, either sign of a difference is equally likely. The test computes all ways to flip the
    signs, or `repetitions` ways drawn with `seed`, which include the observed signs. All pairs have
    the same flips, which are those of scipy's permutation_test.
    """
    by_topic = np.transpose(np.asarray(differences, dtype=np.float64))
    n_topics, n_pairs = by_topic.shape
    observed = np.round(by_topic.mean(axis=0), _DECIMALS)
    noise = 100 * np.finfo(np.float64).eps * np.abs(observed)
    # The observed signs are among all ways, and count once more than they were drawn.
    n_ways = 0 if is_exact(n_topics, repetitions) else 1
    n_below, n_above = np.full((2, n_pairs), n_ways)
    for signs in _signs(n_topics, repetitions, seed):
        means = np.round(signs @ by_topic / n_topics, _DECIMALS)
        n_ways += len(signs)
        n_below += np.count_nonzero(means <= observed + noise, axis=0)
        n_above += np.count_nonzero(means >= observed - noise, axis=0)
    p_values: list[float] = np.minimum(2 * np.minimum(n_below, n_above) / n_ways, 1).tolist()
    return p_values


def _signs(n_topics: int, repetitions: int, seed: int) -> Iterator[_Floats]:
    """Yield the signs of the topics, a row for each way: all of them, or as many as are drawn."""
    n_ways = 1 << n_topics if is_exact(n_topics, repetitions) else repetitions
    batch = min(n_ways, max(1, min(_BATCH, _FLIPS // n_topics)))
    random = np.random.default_rng(seed)
    both_signs = np.tile((1.0, -1.0), (batch, n_topics, 1))
    for first in range(0, n_ways, batch):
        ways = np.arange(first, min(first + batch, n_ways))
        if is_exact(n_topics, repetitions):
            yield np.where(ways[:, np.newaxis] >> np.arange(n_topics) & 1, -1.0, 1.0)
        else:
            yield random.permuted(both_signs, axis=-1)[: len(ways), :, 0]


def tukey_p_values(scores: _Floats, pairs: Sequence[tuple[int, int]]) -> list[float | None]:
    """Return the p-values of Tukey's honestly significant difference for pairs of runs.

    `scores` is a matrix of runs by topics without gaps, and a pair has the places of two runs in
    it. Each pair is one of all pairs of the matrix, so that no correction is due. The error is the
    residual of score = run + topic, as in docs/decisions/significance.md. The p-values are None
    where there is no error to compare with: for a single topic, and where the runs have the same
    differences on all topics. For two runs it is the paired t-test.
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
    return [float(p) for p in range_tails(ranges, n_runs, degrees)]


def range_tails(ranges: _Floats, n_runs: int, degrees: float | _Floats) -> _Floats:
    """Return how likely the studentized range of the runs is above each of the ranges."""
    tails: _Floats
    if n_runs == _A_PAIR:  # the range of two means is their difference
        tails = 2 * special.stdtr(degrees, -ranges / np.sqrt(2))
    else:
        from scipy import stats  # noqa: PLC0415 - takes a third of a second

        tails = stats.studentized_range.sf(ranges, n_runs, degrees)
    return tails


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
