"""Intervals by the bootstrap, for the mean of a sample of topics."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

_Floats = npt.NDArray[np.float64]

RESAMPLES = 1000
_RESAMPLES_AT_ONCE = 250  # all of them take 320 MB for a thousand samples of 40 topics


def bootstrap_bounds(
    deltas: _Floats, n_topics: int, confidences: Sequence[float], seed: int
) -> dict[float, tuple[_Floats, _Floats]]:
    """Return the bounds of the mean of each row of `deltas`, by confidence.

    `deltas` has shape (samples, n), for n of `n_topics` topics, two or more. The lower and upper
    bounds have shape (samples,). They are percentiles of the means of rows drawn with replacement
    (Webber & Park 2009, section 3.2), drawn as scipy's bootstrap draws them: importing that takes
    most of a second. Their distance from the mean is multiplied by the square root
    of (N - n) / N, because only N - n topics are unknown.
    """
    n_common = deltas.shape[1]
    finite = np.sqrt((n_topics - n_common) / n_topics)
    mean = deltas.mean(axis=1)
    random = np.random.default_rng(seed)
    pieces = [
        deltas[:, random.integers(0, n_common, (_RESAMPLES_AT_ONCE, n_common))].mean(axis=-1)
        for _ in range(0, RESAMPLES, _RESAMPLES_AT_ONCE)
    ]
    means = np.concatenate(pieces, axis=-1)
    bounds = {}
    for confidence in confidences:
        tail = (1 - confidence) / 2
        low, high = np.quantile(means, (tail, 1 - tail), axis=-1)
        bounds[confidence] = (
            mean + (low - mean) * finite,
            mean + (high - mean) * finite,
        )
    return bounds
