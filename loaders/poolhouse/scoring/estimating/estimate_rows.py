"""Rows of estimates: their keys and their order for people."""

from collections.abc import Sequence

import polars as pl

KEY = ["measure", "unjudged", "estimator"]

# The unadjusted score, to which every estimator adds.
UNADJUSTED = "unadjusted"

# The estimators in their order.
ESTIMATORS = "select estimator from dim_estimators order by position"


def has_estimates(scores: pl.DataFrame) -> bool:
    """Return whether there is any estimate beside the unadjusted score.

    There is none where it is not known which documents were pooled, or where no run was pooled.
    """
    return scores["estimator"].unique().to_list() != [UNADJUSTED]


def in_order(
    rows: pl.DataFrame, estimators: Sequence[str], main_measure: str | None = None
) -> pl.DataFrame:
    """Order rows: the main measure, P@5 before P@10, `nonrelevant` first, estimators as given."""
    name = pl.col("measure").str.split("@")
    return rows.sort(
        pl.col("measure").ne_missing(main_measure),
        name.list.first(),
        name.list.get(1, null_on_oob=True).cast(pl.Int64),
        pl.col("unjudged") != "nonrelevant",
        pl.col("estimator").replace_strict(
            estimators, range(len(estimators)), default=len(estimators)
        ),
    )
