"""Scores over topics, added up as trec_eval adds them up."""

from collections.abc import Mapping
from math import exp

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
    totals = by_topic.select(column.cum_sum().last() for column in columns).row(0, named=True)
    divisors = {"sum": 1, "mean": n_topics, "geometric_mean": by_topic.height}
    means = {measure: total / divisors[aggregations[measure]] for measure, total in totals.items()}
    return {
        measure: exp(mean) if aggregations[measure] == "geometric_mean" else mean
        for measure, mean in means.items()
    }
