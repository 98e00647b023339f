"""Test the tables that `adjust` shows to people."""

import polars as pl
import pytest

from poolhouse.scoring.estimating.adjusting import Adjustment
from poolhouse.scoring.estimating.adjustment_tables import tables_of
from test_advice import scores

OF_THE_RUNS = {
    "would_be_rank": 1,
    "n_ranked": 2,
    "would_be_rank_among_pooled": 1,
    "n_ranked_pooled": 2,
}


def titles_of(**values: int | None) -> list[str]:
    of_the_runs = {**OF_THE_RUNS, **values}
    frame = scores(n_topics=1).with_columns(
        pl.lit(value, pl.Int64).alias(name) for name, value in of_the_runs.items()
    )
    adjustment = Adjustment(frame, (), "")
    return [title for title, _, _ in tables_of(adjustment, "new", "page", all_estimates=False)]


@pytest.mark.parametrize(
    ("values", "others"),
    [
        ({}, "1 pooled run"),
        ({"n_ranked_pooled": 3}, "2 pooled runs"),
        ({"n_ranked_pooled": None}, "1 other run (no pooled run is known)"),
    ],
)
def test_one_thing_is_singular(values: dict[str, int | None], others: str) -> None:
    assert titles_of(**values) == [f"new on 1 topic of page; place among {others}, if pooled"]


@pytest.mark.parametrize(
    ("interval", "column", "shown"),
    [
        ({}, "off by", 0.02),
        (
            {"if_judged_95_low": 0.3, "if_judged_95_high": 0.37},
            "95 %",
            "0.3000 0.3700",
        ),
    ],
)
def test_an_advised_score_has_its_interval_or_its_error(
    interval: dict[str, float], column: str, shown: float | str
) -> None:
    values = {"n_topics": 1, **interval, **OF_THE_RUNS}
    frame = scores().with_columns(pl.lit(value).alias(name) for name, value in values.items())
    [(_, columns, rows)] = tables_of(Adjustment(frame, (), ""), "new", "page", all_estimates=False)
    assert rows[0][columns.index(column)] == pytest.approx(shown)


def test_a_range_and_its_marks_are_of_one_bound() -> None:
    """`lipani` is above .36, which pooling could give, and not above .45, if all is judged."""
    values = {"n_topics": 1, "upper_bound_if_pooled": 0.36, "upper_bound": 0.45, **OF_THE_RUNS}
    frame = scores().with_columns(pl.lit(value).alias(name) for name, value in values.items())
    advised, every, _ = tables_of(Adjustment(frame, (), ""), "new", "page", all_estimates=True)
    assert advised[2][0][advised[1].index("possible")] == "0.3000 to 0.4500"
    assert every[0].endswith("; bounds if pooled")
    assert {row[1]: row[every[1].index("bound")] for row in every[2]} == {
        "unadjusted": None,
        "webber_park_systems": None,
        "lipani": "above",
    }
