"""Differences of runs if every document were judged, as they are expected, and their tests.

The SQL is the table macro `int_expected_comparisons` (docs/decisions/estimated_tests.md).
"""

from collections.abc import Mapping
from math import sqrt
from typing import Any, Literal

import polars as pl
from scipy import special

from poolhouse.comparing.significance import range_tails, t_quantile
from poolhouse.scoring.asked_runs import AskedRuns
from poolhouse.scoring.estimating.expected_scores import UNJUDGED_GRADES
from poolhouse.warehouse.frames import put_table
from poolhouse.warehouse.own_macros import make_macros

_NO_RELEVANCE = """
create or replace temp table new_relevance as
select
    collection_key, pool_key, run_key, topic_key, doc_key, rank, is_relevant, is_judged_if_pooled,
    support, probability
from intermediate.int_expected_relevance
limit 0
"""
# Two runs may return a document that no loaded run returns. It has the key that new_rankings has.
_ADD_RELEVANCE = """
insert into new_relevance by name
select
    relevance.* exclude (run_key, doc_key, rare_precision, topic_precision),
    new_rankings.run_key,
    new_rankings.doc_key
from int_new_run_relevance($collection, 'new_run', $run_id, null) as relevance
inner join new_rankings using (topic_key, rank)
where new_rankings.run_key = $run_key and relevance.is_relevant is null
"""
# The macros of expected scores have the same arguments.
_OF_MEASURE = """
select $measure as measure, *
from {macro}(
    $collection, $measure, $runs,
    'new_rankings', 'new_relevance', 'compared_scores', 'unjudged_grades'
)
"""

# Below this share of the weight, unjudged documents do not matter to a comparison.
LEAST_UNJUDGED = 0.01

Finding = Literal[
    "holds",
    "holds as estimated",
    "only as judged",
    "reversed",
    "hidden",
    "not significant",
    "cannot be told",
]


def expected_differences(asked: AskedRuns, scores: pl.DataFrame, confidence: float) -> pl.DataFrame:
    """Return one row per measure and ordered pair of runs whose expected scores can be told.

    `scores` are those of `comparable_scores` for the same runs. The rows have the columns of
    int_asked_expected_pairs; the two-sided p-value of t, null where nothing varies; and the
    interval of the difference. Raise PoolhouseError and duckdb.Error.
    """
    differences = _by_measure(asked, "int_expected_comparisons", scores)
    degrees = differences["degrees_of_freedom_if_judged"].to_numpy()
    distances = -differences["t_if_judged"].abs().to_numpy()
    quantile = pl.Series(t_quantile(degrees, confidence), dtype=pl.Float64)
    difference = pl.col("difference_if_judged")
    return differences.with_columns(
        pl.Series("p_value_if_judged", 2 * special.stdtr(degrees, distances), pl.Float64),
        (difference - quantile * pl.col("error_below")).alias("low_if_judged"),
        (difference + quantile * pl.col("error_above")).alias("high_if_judged"),
    ).with_columns(pl.col("p_value_if_judged", "low_if_judged", "high_if_judged").fill_nan(None))


def settling_documents(asked: AskedRuns, scores: pl.DataFrame) -> pl.DataFrame:
    """Return the rows of int_settling_documents for two runs and the measure of their scores.

    The document whose judgement is expected to help most comes first. `scores` are those of
    `comparable_scores` for the same runs. Raise PoolhouseError and duckdb.Error.
    """
    documents = _by_measure(asked, "int_settling_documents", scores)
    return documents.drop_nulls("reduction").sort(
        "reduction", "topic_id", "doc_id", descending=[True, False, False]
    )


def expected_scores(asked: AskedRuns, scores: pl.DataFrame) -> pl.DataFrame:
    """Return one row per measure and run whose expected score can be told.

    `scores` are those of `comparable_scores` for the same runs. `if_judged` is the mean over all
    judged topics if every document were judged, and if_judged_95_low and if_judged_95_high are the
    ends of its interval. A topic that the run does not answer counts as 0. Raise PoolhouseError and
    duckdb.Error.
    """
    expected = _by_measure(asked, "int_expected_scores_of_runs", scores)
    answered = pl.col("n_topics") / scores["topic_id"].n_unique()
    return expected.select("measure", "run_id", pl.col("^if_judged.*$") * answered)


def _by_measure(asked: AskedRuns, macro: str, scores: pl.DataFrame) -> pl.DataFrame:
    """Return the rows of a macro of expected scores for each measure of the scores."""
    connection = asked.connection
    make_macros(connection, macro, "int_new_run_relevance")
    put_table(connection, "compared_scores", scores)
    connection.execute(_NO_RELEVANCE)
    connection.execute(
        f"create or replace temp table unjudged_grades as {UNJUDGED_GRADES}",
        {"collection": asked.collection},
    )
    for number, run in enumerate(asked.new, start=1):
        asked.put(run)
        of_run = {"collection": asked.collection, "run_id": run.run_id, "run_key": -number}
        connection.execute(_ADD_RELEVANCE, of_run)
    return pl.concat(
        asked.ask(_OF_MEASURE.format(macro=macro), runs=asked.loaded, measure=measure)
        for measure in scores["measure"].unique(maintain_order=True)
    )


def games_howell(differences: pl.DataFrame, n_runs: int) -> list[float | None]:
    """Return Games and Howell's p-value of each expected difference, as one of all pairs of runs.

    Each pair has an error and degrees of freedom of its own, where Tukey's test has those of all.
    """
    ranges = differences["t_if_judged"].abs().to_numpy() * sqrt(2)
    degrees = differences["degrees_of_freedom_if_judged"].to_numpy()
    return pl.Series(range_tails(ranges, n_runs, degrees)).fill_nan(None).to_list()


def findings_of(
    rows: pl.DataFrame, p_value: str, p_value_if_judged: str, level: float
) -> pl.Series:
    """Say of each comparison whether its difference holds if every document were judged."""
    said = [
        finding_of(row, p_value, p_value_if_judged, level) for row in rows.iter_rows(named=True)
    ]
    return pl.Series("finding", said, pl.String)


def finding_of(
    row: Mapping[str, Any], p_value: str, p_value_if_judged: str, level: float
) -> Finding | None:
    """Say whether a difference holds if every document were judged.

    `row` is a comparison with its expected difference, and the other arguments name its columns
    with the p-values that count, and their level. Return None where hardly any document is
    unjudged, or where the measure does not depend on the relevance of unjudged documents: then the
    difference as judged says everything.
    """
    if row["n_unjudged"] is None or row["upper_bound"] is None or not _has_unjudged(row):
        return None
    is_significant = _is_below(row[p_value], level)
    if is_significant and row["survives_bounds"]:
        return "holds"
    if row["difference_if_judged"] is None:
        return "cannot be told"
    is_expected = _is_below(row[p_value_if_judged], level)
    is_same = row["mean_difference"] * row["difference_if_judged"] > 0
    if is_significant and is_expected:
        return "holds as estimated" if is_same else "reversed"
    if is_expected:
        return "hidden"
    return "only as judged" if is_significant else "not significant"


def _has_unjudged(row: Mapping[str, Any]) -> bool:
    shares = (
        ("unjudged_share", "other_unjudged_share")
        if row["difference_if_judged"] is None
        else ("unjudged_weight", "other_unjudged_weight")
    )
    return max(row[each] or 0 for each in shares) >= LEAST_UNJUDGED


def _is_below(p_value: float | None, level: float) -> bool:
    return p_value is not None and p_value < level
