"""What people see of an adjustment: narrow tables in the place of one wide one."""

from collections.abc import Iterator, Sequence

import polars as pl

from poolhouse.adjusting import Adjustment

# Title, columns and rows.
_Table = tuple[str, list[str], Sequence[Sequence[object]]]

_IS_KNOWN = pl.col("estimator") == "unadjusted"


def tables_of(adjustment: Adjustment, run_id: str, collection: str) -> Iterator[_Table]:
    """Lay out an adjustment for a terminal of 80 columns."""
    scores = adjustment.scores
    first = scores.row(0, named=True)
    yield (
        f"{run_id} on {first['n_topics']} topics of {collection}",
        ["measure", "unjudged", "lower bound", "upper bound"],
        scores.filter(_IS_KNOWN)
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
        scores.select(_said_once("measure"), "estimator", "adjusted_score", "would_be_rank").rows(),
    )


def _said_once(name: str) -> pl.Expr:
    """Blank out what the row above says too."""
    column = pl.col(name)
    return pl.when(column.ne_missing(column.shift())).then(column)
