"""Advice on a new run: the estimator with the lowest error here, and the unknown facts."""

from collections.abc import Callable, Sequence
from typing import Any

import polars as pl

from poolhouse.estimating.estimate_rows import UNADJUSTED

_Ask = Callable[[str, dict[str, Any]], pl.DataFrame]

# The error of each estimator when one organization at a time was left out of the pool.
_ERRORS = """
select
    errors.measure,
    errors.unjudged,
    errors.estimator,
    errors.mae as expected_error,
    coalesce(
        errors.unjudged = 'nonrelevant' and errors.estimator = recommended.estimator, false
    ) as is_recommended,
    errors.n_runs as n_measured_runs,
    recommended.pool_depth
from fct_estimator_errors as errors
left join dim_recommended_estimators as recommended using (collection_id, measure)
where errors.collection_id = $collection and errors.level = 'organization' and errors.subset = 'all'
"""
_MAIN_MEASURE = "select main_measure from dim_collections where collection_id = $collection"
# The sentence is about this measure, if the main measure of the collection is not estimated.
_FIRST = "P@10"


def with_errors(scores: pl.DataFrame, ask: _Ask, collection: str) -> pl.DataFrame:
    """Return the estimates of a new run, with the known errors of their estimators.

    `expected_error` is the mean absolute error of the estimator when one organization at a time is
    left out of the pool, in units of the measure. It is null where the error was not measured.
    `n_measured_runs` is the number of runs in this mean. `is_recommended` marks the estimator with
    the lowest error (docs/decisions/leaderboards.md). `pool_depth` is the depth of the collection.
    """
    key = ["measure", "unjudged", "estimator"]
    errors = ask(_ERRORS, {"collection": collection})
    joined = scores.join(errors, on=key, how="left", maintain_order="left")
    return joined.with_columns(pl.col("is_recommended").fill_null(value=False))


def main_measure_of(ask: _Ask, collection: str) -> str:
    """Return the measure by which the leaderboards of the collection are ordered."""
    return str(ask(_MAIN_MEASURE, {"collection": collection}).item())


def advice_on(scores: pl.DataFrame, main_measure: str = _FIRST) -> str:
    """Return a sentence: which estimate to take, why, the range of estimates, what is not known.

    The sentence is about the main measure of the collection, if this measure is estimated.
    `scores` is a frame from `with_errors`; it must hold the rows in which unjudged documents count
    as not relevant.
    """
    plain = scores.filter(unjudged="nonrelevant")
    measures = plain["measure"].unique(maintain_order=True)
    measure = next(each for each in (main_measure, _FIRST, *measures) if each in measures)
    rows = plain.filter(measure=measure)
    unadjusted = rows.row(by_predicate=pl.col("estimator") == UNADJUSTED, named=True)
    n_unjudged, n_documents = unadjusted["n_unjudged"], unadjusted["n_top_documents"]
    score = unadjusted["adjusted_score"]
    if n_unjudged == 0:
        return (
            f"{measure}: {score:.4f} needs no adjustment, since none of the {n_documents} "
            "documents "
            "above the cutoff is unjudged"
        )
    measured = rows.filter(pl.col("expected_error").is_not_null())
    recommended = measured.filter("is_recommended")
    unknown = (
        f"{n_unjudged} of {n_documents} documents above the cutoff are unjudged, which leaves "
        f"{unadjusted['lower_bound']:.4f} to {unadjusted['upper_bound']:.4f} possible"
    )
    if recommended.is_empty():
        return (
            f"{measure}: no estimate is recommended, since no organization can be left out of this "
            f"pool to measure the errors of estimates; {unknown}"
        )
    best = recommended.row(0, named=True)
    name = "the score as it is" if best["estimator"] == UNADJUSTED else best["estimator"]
    return (
        f"{measure}: take {name}, {best['adjusted_score']:.4f}, {_reason(best, measured)}; "
        f"the estimates lie {_range(rows)}; {unknown}"
    )


def _reason(best: dict[str, Any], measured: pl.DataFrame) -> str:
    """Return the reason for the best estimate: its error, and the error of the unadjusted score."""
    depth = f", pooled {best['pool_depth']} deep" if best["pool_depth"] else ""
    beyond = " (less deep than the measure looks)" if best["beyond_pool_depth"] else ""
    reason = (
        f"which was off by {best['expected_error']:.4f} on average on this collection when the "
        f"organization of one of the {best['n_measured_runs']} runs was left out{depth}{beyond}"
    )
    if best["estimator"] == UNADJUSTED:
        return f"{reason}, less than any estimate"
    [error] = measured.filter(estimator=UNADJUSTED)["expected_error"]
    return f"{reason}, while the score as it is was off by {error:.4f}"


def _range(rows: pl.DataFrame) -> str:
    """Return the range of the estimates and of their ranks, in words."""
    low, high = _ends(rows["adjusted_score"].to_list())
    scores = f"between {low:.4f} and {high:.4f}" if low != high else f"at {low:.4f}"
    column, among = (
        ("would_be_rank", "n_ranked")
        if rows["n_ranked_pooled"].is_null().all()
        else ("would_be_rank_among_pooled", "n_ranked_pooled")
    )
    best, worst = _ends(rows[column].to_list())
    places = f"places {best} to {worst}" if best != worst else f"place {best}"
    others = "the pooled runs" if column.endswith("pooled") else "the other runs"
    return f"{scores}, at {places} of {rows.row(0, named=True)[among]} with {others}"


def _ends(values: Sequence[Any]) -> tuple[Any, Any]:
    return min(values), max(values)
