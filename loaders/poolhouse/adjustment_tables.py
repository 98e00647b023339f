"""What people see of an adjustment: narrow tables in the place of one wide one."""

from collections.abc import Iterator, Sequence

import polars as pl

from poolhouse.adjusting import Adjustment

_Row = tuple[object, ...]
# Title, columns and rows.
_Table = tuple[str, list[str], Sequence[_Row]]

_FROM_TOPICS = ("mixed", "sampled", "webber_park_topics")
_TREATMENTS = {
    "nonrelevant": "unjudged documents as not relevant",
    "condensed": "unjudged documents left out",
}

# Said of an estimate that the score cannot be, and of no other.
_OUTSIDE = pl.when("is_outside_bounds").then(pl.lit("outside")).alias("bounds")


def tables_of(adjustment: Adjustment, run_id: str, collection: str) -> Iterator[_Table]:
    """Lay out an adjustment for a terminal of 80 columns."""
    scores = adjustment.scores
    first = scores.row(0, named=True)
    plain = scores.filter(unjudged="nonrelevant")
    yield (
        f"{run_id} on {first['n_topics']} topics of {collection}",
        ["measure", "unjudged", "lower bound", "upper bound"],
        plain.filter(estimator="unadjusted")
        .select(
            "measure",
            pl.format("{} of {}", "n_unjudged", "n_top_documents"),
            "lower_bound",
            "upper_bound",
        )
        .rows(),
    )
    yield (
        f"estimates, and their place among {first['n_ranked']} runs",
        *_marked(
            plain.filter(~pl.col("estimator").is_in(_FROM_TOPICS)),
            _said_once("measure"),
            "estimator",
            pl.col("adjusted_score").alias("score"),
            pl.col("would_be_rank").alias("rank"),
        ),
    )
    if "n_common_topics" in scores.columns:
        for treatment, words in _TREATMENTS.items():
            yield _from_topics(scores.filter(unjudged=treatment), words)


def _from_topics(scores: pl.DataFrame, words: str) -> _Table:
    estimates = scores.filter(pl.col("estimator").is_in(["unadjusted", *_FROM_TOPICS]))
    return (
        f"from {estimates['n_common_topics'][0]} common topics, {words}",
        *_marked(
            estimates,
            _said_once("measure"),
            "estimator",
            pl.col("adjusted_score").alias("score"),
            pl.format("{} {}", *(_four_decimals(f"t_95_{end}") for end in ("low", "high"))).alias(
                "95 % (t)"
            ),
            pl.col("would_be_rank").alias("rank"),
        ),
    )


def _marked(estimates: pl.DataFrame, *columns: pl.Expr | str) -> tuple[list[str], list[_Row]]:
    """Take columns, and one more where an estimate is to be marked."""
    marks = [_OUTSIDE] if estimates["is_outside_bounds"].any() else []
    shown = estimates.select(*columns, *marks)
    return shown.columns, shown.rows()


def _four_decimals(name: str) -> pl.Expr:
    return pl.col(name).map_elements("{:.4f}".format, return_dtype=pl.String)


def _said_once(name: str) -> pl.Expr:
    """Blank out what the row above says too."""
    column = pl.col(name)
    return pl.when(column.ne_missing(column.shift())).then(column)
