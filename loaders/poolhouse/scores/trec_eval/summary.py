"""Scores over topics, added up as trec_eval adds them up."""

from collections.abc import Mapping
from math import exp, log

import polars as pl

_LEAST_IN_GEOMETRIC_MEAN = 0.00001  # macros/measures/gmap.sql


def over_topics(
    by_topic: pl.DataFrame, aggregations: Mapping[str, str], n_topics: int
) -> dict[str, float]:
    """Return the score of each measure over topics: the mean, the sum, or the geometric mean.

    `by_topic` has a column per measure, and a row per topic that is added up. `n_topics` is the
    divisor. It is larger than the number of rows where other topics count as 0, or as 0.00001 in a
    geometric mean.
    """
    if not aggregations:
        return {}
    columns = [
        pl.col(measure).log() if kind == "geometric_mean" else pl.col(measure)
        for measure, kind in aggregations.items()
    ]
    # Added up in the order of the topics: other last digits can change the fourth decimal.
    totals = by_topic.select(column.cum_sum().last() for column in columns).row(0, named=True)
    logarithms_of_missing = (n_topics - by_topic.height) * log(_LEAST_IN_GEOMETRIC_MEAN)
    return {
        measure: _aggregated(aggregations[measure], total, n_topics, logarithms_of_missing)
        for measure, total in totals.items()
    }


def _aggregated(kind: str, total: float, n_topics: int, logarithms_of_missing: float) -> float:
    if kind == "sum":
        return total
    if kind == "mean":
        return total / n_topics
    return exp((total + logarithms_of_missing) / n_topics)
