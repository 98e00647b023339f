"""Advice on a new run: the estimator that was least off on this collection, and what stays open."""

from collections.abc import Callable, Sequence
from typing import Any

import polars as pl

from poolhouse.estimating.estimate_rows import UNADJUSTED

_Ask = Callable[[str, dict[str, Any]], pl.DataFrame]

# What each estimator was off by when an organization at a time was left out of the pool.
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
# The measure of which the sentence is, where it is among the estimated ones: what people look at.
_FIRST = "P@10"


def with_errors(scores: pl.DataFrame, ask: _Ask, collection: str) -> pl.DataFrame:
    """Add to estimates of a new run what is known of their estimators on the collection.

    `expected_error` is the mean absolute error of the estimator when an organization at a time is
    left out of the pool, in units of the measure; null where that was not measured.
    `n_measured_runs` is over how many runs that is a mean. `is_recommended` marks the estimator
    with the lowest one (docs/decisions/leaderboards.md). `pool_depth` is that of the collection.
    """
    key = ["measure", "unjudged", "estimator"]
    errors = ask(_ERRORS, {"collection": collection})
    joined = scores.join(errors, on=key, how="left", maintain_order="left")
    return joined.with_columns(pl.col("is_recommended").fill_null(value=False))


def advice_on(scores: pl.DataFrame) -> str:
    """Say in one sentence which estimate to take, why, its range, and what is not known.

    `scores` are those of `with_errors`, unjudged documents being not relevant among them.
    """
    plain = scores.filter(unjudged="nonrelevant")
    measures = plain["measure"].unique(maintain_order=True)
    measure = _FIRST if _FIRST in measures else measures[0]
    rows = plain.filter(measure=measure)
    unadjusted = rows.row(by_predicate=pl.col("estimator") == UNADJUSTED, named=True)
    n_unjudged, n_documents = unadjusted["n_unjudged"], unadjusted["n_top_documents"]
    score = unadjusted["adjusted_score"]
    if n_unjudged == 0:
        return (
            f"{measure}: {score:.4f} is final, since none of the {n_documents} documents "
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
            f"pool to measure their errors, and {unknown}"
        )
    best = recommended.row(0, named=True)
    name = "the score as it is" if best["estimator"] == UNADJUSTED else best["estimator"]
    return (
        f"{measure}: take {name}, {best['adjusted_score']:.4f}, {_reason(best, measured)}; "
        f"the estimates lie {_range(rows)}, and {unknown}"
    )


def _reason(best: dict[str, Any], measured: pl.DataFrame) -> str:
    """Say how far it was off, and the score as it is in its place."""
    depth = f", pooled {best['pool_depth']} deep" if best["pool_depth"] else ""
    beyond = " (less deep than the measure looks)" if best["beyond_pool_depth"] else ""
    reason = (
        f"which was off by {best['expected_error']:.4f} on average here when the organization of "
        f"one of the {best['n_measured_runs']} runs was left out{depth}{beyond}"
    )
    if best["estimator"] == UNADJUSTED:
        return f"{reason}, less than by any estimate"
    [error] = measured.filter(estimator=UNADJUSTED)["expected_error"]
    return f"{reason}, and the score as it is by {error:.4f}"


def _range(rows: pl.DataFrame) -> str:
    """Say from where to where estimates and their places go."""
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
