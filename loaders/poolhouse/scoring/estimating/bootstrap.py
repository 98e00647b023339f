"""Intervals by the bootstrap, for the mean of a sample of topics."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from scipy import stats

_Floats = npt.NDArray[np.float64]

RESAMPLES = 1000
_RESAMPLES_AT_ONCE = 250  # all of them take 320 MB for a thousand samples of 40 topics


def bootstrap_bounds(
    deltas: _Floats, n_topics: int, confidences: Sequence[float], seed: int
) -> dict[float, tuple[_Floats, _Floats]]:
    """Return the bounds of the mean of each row of `deltas`, by confidence.

    `deltas` has shape (samples, n), for n of `n_topics` topics, two or more. The lower and upper
    bounds have shape (samples,). They are percentiles of the means of rows drawn with replacement
    (Webber & Park 2009, section 3.2). Their distance from the mean is multiplied by the square root
    of (N - n) / N, because only N - n topics are unknown.
    """
    n_common = deltas.shape[1]
    finite = np.sqrt((n_topics - n_common) / n_topics)
    mean = deltas.mean(axis=1)
    drawn = stats.bootstrap(
        (deltas,),
        np.mean,
        axis=1,
        n_resamples=RESAMPLES,
        batch=_RESAMPLES_AT_ONCE,
        method="percentile",
        rng=np.random.default_rng(seed),
    )
    bounds = {}
    for confidence in confidences:
        interval = stats.bootstrap(
            (deltas,),
            np.mean,
            axis=1,
            n_resamples=0,
            bootstrap_result=drawn,
            confidence_level=confidence,
            method="percentile",
        ).confidence_interval
        bounds[confidence] = (
            mean + (interval.low - mean) * finite,
            mean + (interval.high - mean) * finite,
        )
    return bounds
