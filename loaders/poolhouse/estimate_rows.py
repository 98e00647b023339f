"""Rows of estimates: what tells them apart, and the order in which people look for them."""

import polars as pl

KEY = ["measure", "unjudged", "estimator"]

_ESTIMATORS = [
    "unadjusted",
    "webber_park_systems",
    "webber_park_systems_no_substitution",
    "lipani",
    "mixed",
    "sampled",
    "webber_park_topics",
]


def in_order(rows: pl.DataFrame) -> pl.DataFrame:
    """Order rows: P@5 before P@10, `nonrelevant` and `unadjusted` before what is made of them."""
    name = pl.col("measure").str.split("@")
    return rows.sort(
        name.list.first(),
        name.list.last().cast(pl.Int64),
        pl.col("unjudged") != "nonrelevant",
        pl.col("estimator").replace_strict(_ESTIMATORS, range(len(_ESTIMATORS))),
    )
