"""Significance: is a mean difference one of the systems, or of the topics that were drawn.

Tests of paired scores, and what many of them at once ask for. Formulas and sources are in
docs/comparing.md.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from scipy import stats

_Floats = npt.NDArray[np.float64]

# Sign flips at once: of 250 topics each, 20 MB.
_BATCH = 10_000

# Differences of means beyond these are float noise, as in SQL.
_DECIMALS = 12


def t_p_value(paired_t: float | None, n_topics: int) -> float | None:
    """Return the two-sided p-value of Student's paired t-test; None where there is no t."""
    if paired_t is None:
        return None
    return float(2 * stats.t.sf(abs(paired_t), n_topics - 1))


def t_interval(
    mean: float, standard_error: float | None, n_topics: int, confidence: float
) -> tuple[float, float] | None:
    """Return the interval of a mean over topics, by Student's t.

    None where there is no standard error, or one of 0: a point would look like certainty.
    """
    if not standard_error:
        return None
    half = float(stats.t.ppf((1 + confidence) / 2, n_topics - 1)) * standard_error
    return mean - half, mean + half


def is_exact(n_topics: int, repetitions: int) -> bool:
    """Say whether there are no more ways to flip the signs than are looked at."""
    return 1 << n_topics <= repetitions


def sign_flip_p_value(differences: Sequence[float], repetitions: int, seed: int) -> float:
    """Return the two-sided p-value of Fisher's randomization test of paired scores.

    Takes the differences of a pair, one a topic, of which each is as likely to have the other sign
    if the systems are the same. Looks at all ways to flip them, or at `repetitions` of them that
    `seed` draws, the one that was found among them.
    """
    if len(differences) == 1:
        return 1.0  # either sign is as far from 0, and scipy takes two or more
    found = stats.permutation_test(
        (np.asarray(differences, dtype=np.float64),),
        _mean_without_noise,
        permutation_type="samples",
        vectorized=True,
        n_resamples=repetitions,
        batch=_BATCH,
        alternative="two-sided",
        rng=np.random.default_rng(seed),
    )
    return float(found.pvalue)


def _mean_without_noise(differences: _Floats, axis: int) -> _Floats:
    """Average, to 12 decimals: means that are equal but for float noise are as far from 0."""
    means: _Floats = np.mean(differences, axis=axis)
    return np.round(means, _DECIMALS)


def bonferroni(p_values: Sequence[float | None]) -> list[float | None]:
    """Correct p-values for their number: each times that, 1 at most.

    What has no p-value counts, and has none.
    """
    n = len(p_values)
    return [None if p is None else min(1.0, n * p) for p in p_values]


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """Correct p-values by Holm's steps down: the smallest times n, the next times n - 1, ...

    None is below one that is smaller before it, or above 1. What has no p-value counts, comes last
    and has none.
    """
    corrected: list[float | None] = [None] * len(p_values)
    known = [(p, position) for position, p in enumerate(p_values) if p is not None]
    highest = 0.0
    for step, (p, position) in enumerate(sorted(known)):
        highest = max(highest, min(1.0, (len(p_values) - step) * p))
        corrected[position] = highest
    return corrected
