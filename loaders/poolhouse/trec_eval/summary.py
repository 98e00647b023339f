"""Scores over topics, added up as trec_eval adds them up."""

from collections.abc import Mapping
from functools import reduce
from math import exp
from operator import add

import polars as pl


def over_topics(
    by_topic: pl.DataFrame, aggregations: Mapping[str, str], n_topics: int
) -> dict[str, float]:
    """Return the score of each measure over topics: the mean, the sum, or the geometric mean.

    `by_topic` has a column per measure, and a row per topic that is added up. `n_topics` is the
    divisor of a mean. It is larger than the number of rows where other topics count as 0.
    """
    if not aggregations:
        return {}
    columns = [
        pl.col(measure).log() if kind == "geometric_mean" else pl.col(measure)
        for measure, kind in aggregations.items()
    ]
    # Added up in the order of the topics: other last digits can change the fourth decimal.
    totals = reduce(_added, by_topic.select(columns).iter_rows())
    divisors = {"sum": 1, "mean": n_topics, "geometric_mean": by_topic.height}
    means = {
        measure: total / divisors[kind]
        for (measure, kind), total in zip(aggregations.items(), totals, strict=True)
    }
    return {
        measure: exp(mean) if aggregations[measure] == "geometric_mean" else mean
        for measure, mean in means.items()
    }


def _added(totals: tuple[float, ...], scores: tuple[float, ...]) -> tuple[float, ...]:
    return tuple(map(add, totals, scores))
