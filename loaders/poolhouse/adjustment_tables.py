"""What people see of an adjustment: narrow tables in the place of one wide one."""

from collections.abc import Iterator, Sequence

import polars as pl

from poolhouse.adjusting import Adjustment

# Title, columns and rows.
_Table = tuple[str, list[str], Sequence[Sequence[object]]]

_FROM_TOPICS = ("mixed", "sampled", "webber_park_topics")
_TREATMENTS = {
    "nonrelevant": "unjudged documents as not relevant",
    "condensed": "unjudged documents left out",
}


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
        ["measure", "estimator", "score", "rank"],
        plain.filter(~pl.col("estimator").is_in(_FROM_TOPICS))
        .select(_said_once("measure"), "estimator", "adjusted_score", "would_be_rank")
        .rows(),
    )
    if "n_common_topics" in scores.columns:
        for treatment, words in _TREATMENTS.items():
            yield _from_topics(scores.filter(unjudged=treatment), words)


def _from_topics(scores: pl.DataFrame, words: str) -> _Table:
    estimates = scores.filter(pl.col("estimator").is_in(["unadjusted", *_FROM_TOPICS]))
    return (
        f"from {estimates['n_common_topics'][0]} common topics, {words}",
        ["measure", "estimator", "score", "95 % (t)", "rank"],
        estimates.select(
            _said_once("measure"),
            "estimator",
            "adjusted_score",
            pl.format("{} {}", *(_four_decimals(f"t_95_{end}") for end in ("low", "high"))),
            "would_be_rank",
        ).rows(),
    )


def _four_decimals(name: str) -> pl.Expr:
    return pl.col(name).map_elements("{:.4f}".format, return_dtype=pl.String)


def _said_once(name: str) -> pl.Expr:
    """Blank out what the row above says too."""
    column = pl.col(name)
    return pl.when(column.ne_missing(column.shift())).then(column)
