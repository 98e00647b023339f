"""Count stars: what the test of differences as judged, and of expected ones, says of the truth."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import polars as pl

from .left_out import Pair, p_value, squared_error

LEVEL = 0.05
BANDS = (0.0, 0.01, 0.1, 0.3, 0.6, 1.01)
REPETITIONS, SEED = 200, 7


@dataclass(frozen=True)
class Star:
    """What one test says of a pair: whether its difference is significant, and its direction."""

    is_significant: bool
    direction: float

    def agrees(self, other: "Star") -> bool:
        """Return whether both are significant in the same direction."""
        return self.is_significant and other.is_significant and self.direction == other.direction


def counted(truth: Star, told: Star, name: str) -> dict[str, bool]:
    """Return which errors a test makes where the other one is right."""
    is_other_way = told.is_significant and told.direction != truth.direction
    return {
        f"{name} false": told.is_significant and not truth.is_significant,
        f"{name} wrong sign": is_other_way,
        f"{name} missed": truth.is_significant and not told.agrees(truth),
    }


def stars(pairs: Iterable[Pair]) -> pl.DataFrame:
    """Return one row per pair: its unjudged share, and the errors of both tests."""
    rows = []
    for pair in pairs:
        truth = star(pair.true)
        judged = star(pair.judged)
        expected = star(pair.expected, float(squared_error(pair)))
        rows.append(
            {
                "share": pair.unjudged_share,
                "true": truth.is_significant,
                **counted(truth, judged, "plain"),
                **counted(truth, expected, "estimated"),
            }
        )
    return pl.DataFrame(rows)


def star(differences: np.ndarray, error: float = 0.0) -> Star:
    """Return what the t-test says of differences by topic; the mean may have one more error."""
    p = float(p_value(differences, error=error))
    return Star(p < LEVEL, float(np.sign(differences.mean())))


def false_alarms(pairs: Iterable[Pair]) -> pl.DataFrame:
    """Return how often each test finds a difference other than the true one, on drawn topics.

    Topics are drawn with replacement from those of the collection, whose mean true difference is
    then the hypothesis: what is left are the choice of topics and the errors of estimates.
    """
    stream = np.random.default_rng(SEED)
    rows = []
    for pair in pairs:
        n_topics = len(pair.true)
        sample = pair.drawn(stream.integers(0, n_topics, (REPETITIONS, n_topics)))
        mean = float(pair.true.mean())
        rows.append(
            {
                "share": pair.unjudged_share,
                "all judgements": _rate(p_value(sample.true, mean)),
                "plain": _rate(p_value(sample.judged, mean)),
                "estimated": _rate(p_value(sample.expected, mean, squared_error(sample, mean))),
            }
        )
    return pl.DataFrame(rows)


def _rate(p_values: np.ndarray) -> float:
    return float((p_values < LEVEL).mean())


def bands(frame: pl.DataFrame) -> pl.DataFrame:
    """Return a row for all pairs and one for each span of unjudged shares: sums, or means."""
    parts = []
    for low, high in ((0.0, BANDS[-1]), *pairwise(BANDS)):
        rows = frame.filter(pl.col("share") >= low, pl.col("share") < high)
        figures = [
            pl.col(name).sum() if kind == pl.Boolean else pl.col(name).mean().round(4)
            for name, kind in rows.schema.items()
            if name != "share"
        ]
        span = pl.lit(f"{low:.0%} to {min(high, 1):.0%}").alias("unjudged")
        parts.append(rows.select(span, pl.len().alias("pairs"), *figures))
    return pl.concat(parts, how="vertical_relaxed")
