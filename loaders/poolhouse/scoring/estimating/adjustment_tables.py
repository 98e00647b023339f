"""The tables of an adjustment for people: several narrow tables instead of a wide one."""

from collections.abc import Iterator, Sequence
from typing import Any

import polars as pl

from poolhouse.output.words import counted
from poolhouse.scoring.estimating.adjusting import Adjustment
from poolhouse.scoring.estimating.advice import advised
from poolhouse.scoring.estimating.estimate_rows import UNADJUSTED

_Row = tuple[object, ...]
# Title, columns and rows.
_Table = tuple[str, list[str], Sequence[_Row]]

_TREATMENTS = {
    "nonrelevant": "unjudged documents as not relevant",
    "condensed": "unjudged documents left out",
}

# The ends of the interval of an estimate from common topics.
_SHOWN_INTERVAL = ("t_95_low", "t_95_high")

# The scores that are possible: if the run is pooled, to the pool depth, or if every document is
# judged. The titles of tables with marks say which ones.
_IF_POOLED, _IF_JUDGED = "if pooled", "if judged"

# The mark of an estimate outside of the possible scores, which is shown as the nearest of these.
_OUTSIDE = (
    pl.when(~pl.col("is_outside_bounds"))
    .then(None)
    .when(pl.col("adjusted_score") > pl.col("clipped_score"))
    .then(pl.lit("above"))
    .otherwise(pl.lit("below"))
    .alias("bound")
)


def tables_of(
    adjustment: Adjustment, run_id: str, collection: str, *, all_estimates: bool
) -> Iterator[_Table]:
    """Return the tables of an adjustment for a terminal of 80 columns."""
    scores = adjustment.scores
    first = scores.row(0, named=True)
    what = f"{run_id} on {counted(first['n_topics'], 'topic')} of {collection}"
    if first["n_unjudged"] is None:
        yield _as_they_are(scores, what)
        return
    yield _advice(scores, what)
    if all_estimates:
        plain = scores.filter(unjudged="nonrelevant")
        title = "all estimates, and their places in the pool and among all runs; bounds "
        yield f"{title}{_IF_POOLED}", *_systems(plain)
        condensed = _systems(scores.filter(unjudged="condensed"))
        yield f"the same, {_TREATMENTS['condensed']}", *condensed
    if "n_common_topics" in scores.columns:
        for treatment, words in _TREATMENTS.items():
            yield _from_topics(scores.filter(unjudged=treatment), words)


def _advice(scores: pl.DataFrame, what: str) -> _Table:
    """Return the table with one row per measure: the score, and the score if all is judged.

    The place is that of the score if the run is pooled, because the scores of pooled runs have the
    judgements of the pool.
    """
    rows = advised(scores)
    is_told = pl.col("advice") != "cannot be told"
    place, others = _places(rows)[0], _others(rows.row(0, named=True))
    table = rows.select(
        "measure",
        pl.col("unadjusted_score").alias("score"),
        pl.format("{} to {}", *map(_four_decimals, ("lower_bound", "upper_bound"))).alias(
            "possible"
        ),
        pl.when(is_told)
        .then(_four_decimals("if_judged"))
        .otherwise(pl.lit("unknown"))
        .alias(_IF_JUDGED),
        _uncertainty(rows),
        pl.when(pl.col("advice_if_pooled") != "cannot be told").then(place.alias("place")),
    )
    return f"{what}; place among {others}, {_IF_POOLED}", table.columns, table.rows()


def _as_they_are(scores: pl.DataFrame, what: str) -> _Table:
    """Return the scores and places where the qrels list relevant documents only."""
    rows = advised(scores)
    table = rows.select(
        "measure",
        pl.col("unadjusted_score").alias("score"),
        pl.col("would_be_rank").alias("place"),
    )
    others = counted(rows["n_ranked"][0] - 1, "other run")
    return f"{what}; place among {others}", table.columns, table.rows()


def _uncertainty(rows: pl.DataFrame) -> pl.Expr:
    """Return the interval of each estimate, or its expected error where it has none."""
    off_by = pl.col("if_judged_expected_error")
    if rows.filter(advice="estimated")["if_judged_95_low"].is_null().all():
        return off_by.alias("off by")
    ends = map(_four_decimals, ("if_judged_95_low", "if_judged_95_high"))
    error = pl.format("off by {}", _four_decimals("if_judged_expected_error"))
    return pl.coalesce(pl.format("{} {}", *ends), error).alias("95 %")


def _systems(scores: pl.DataFrame) -> tuple[list[str], list[_Row]]:
    """Return the table of the unadjusted score and of the estimates without common topics."""
    if "n_common_topics" in scores.columns:
        scores = scores.filter(
            pl.col("n_common_topics").is_null() | (pl.col("estimator") == UNADJUSTED)
        )
    return _marked(
        scores,
        _said_once("measure"),
        "estimator",
        pl.col("clipped_score").alias("score"),
        *_places(scores),
    )


def _from_topics(scores: pl.DataFrame, words: str) -> _Table:
    """Return the table of the estimates from common topics, cut to the possible scores."""
    estimates = scores.filter(pl.col("n_common_topics").is_not_null()).with_columns(
        pl.col(_SHOWN_INTERVAL).clip("lower_bound", "upper_bound")
    )
    n_common_topics = counted(estimates["n_common_topics"][0], "common topic")
    return (
        f"from {n_common_topics}, {words}; bounds {_IF_JUDGED}",
        *_marked(
            estimates,
            _said_once("measure"),
            "estimator",
            pl.col("clipped_score").alias("score"),
            pl.format("{} {}", *map(_four_decimals, _SHOWN_INTERVAL)).alias("95 % (t)"),
            # csv and json have the other place too, for which a terminal has no room.
            _places(scores)[0],
        ),
    )


def _others(row: dict[str, Any]) -> str:
    """Describe the runs among which the first place counts."""
    if row["n_ranked_pooled"] is None:
        return f"{counted(row['n_ranked'] - 1, 'other run')} (no pooled run is known)"
    return counted(row["n_ranked_pooled"] - 1, "pooled run")


def _places(scores: pl.DataFrame) -> list[pl.Expr]:
    """Return the place among the pooled runs, if there are any, and the place among all runs."""
    of_all = pl.col("would_be_rank").alias("all")
    if scores["n_ranked_pooled"].is_null().all():
        return [of_all]
    return [pl.col("would_be_rank_among_pooled").alias("pool"), of_all]


def _marked(estimates: pl.DataFrame, *columns: pl.Expr | str) -> tuple[list[str], list[_Row]]:
    """Select columns, and add a column if an estimate has a mark."""
    marks = [_OUTSIDE] if estimates["is_outside_bounds"].any() else []
    shown = estimates.select(*columns, *marks)
    return shown.columns, shown.rows()


def _four_decimals(name: str) -> pl.Expr:
    return pl.col(name).map_elements("{:.4f}".format, return_dtype=pl.String)


def _said_once(name: str) -> pl.Expr:
    """Replace values by blanks that repeat the row above."""
    column = pl.col(name)
    return pl.when(column.ne_missing(column.shift())).then(column)
