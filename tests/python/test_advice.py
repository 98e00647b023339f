"""Test the sentence at the end of the output of `adjust`."""

import polars as pl
import pytest

from poolhouse.estimating.advice import advice_on

# Estimator, adjusted score, measured error, and place.
ESTIMATES = (
    ("unadjusted", 0.30, 0.06, 5),
    ("webber_park_systems", 0.35, 0.02, 3),
    ("lipani", 0.32, 0.04, 4),
)


def scores(n_unjudged: int = 40, recommended: str | None = "webber_park_systems") -> pl.DataFrame:
    rows = [
        {
            "measure": measure,
            "unjudged": unjudged,
            "estimator": estimator,
            "adjusted_score": score if n_unjudged else 0.30,
            "n_unjudged": n_unjudged,
            "n_top_documents": 500,
            "lower_bound": 0.3,
            "upper_bound": 0.38,
            "would_be_rank_among_pooled": place,
            "n_ranked_pooled": 9,
            "would_be_rank": place + 1,
            "n_ranked": 12,
            "beyond_pool_depth": False,
            "expected_error": error if recommended else None,
            "is_recommended": estimator == recommended and unjudged == "nonrelevant",
            "n_measured_runs": 8,
            "pool_depth": 50,
        }
        for measure in ("P@5", "P@10")
        for unjudged in ("nonrelevant", "condensed")
        for estimator, score, error, place in ESTIMATES
    ]
    return pl.DataFrame(rows)


def test_it_names_the_estimator_its_error_the_range_and_what_is_unknown() -> None:
    assert advice_on(scores()) == (
        "P@10: take webber_park_systems, 0.3500, which was off by 0.0200 on average on "
        "this collection when the "
        "organization of one of the 8 runs was left out, pooled 50 deep, while the score "
        "as it is was off by "
        "0.0600; the estimates lie between 0.3000 and 0.3500, at places 3 to 5 of 9 with the "
        "pooled runs; 40 of 500 documents above the cutoff are unjudged, which leaves 0.3000 "
        "to 0.3800 possible"
    )


def test_the_score_as_it_is_may_be_the_best() -> None:
    advice = advice_on(scores(recommended="unadjusted"))
    assert advice.startswith("P@10: take the score as it is, 0.3000, which was off by 0.0600")
    assert "less than any estimate" in advice


def test_where_nothing_is_unjudged_the_score_stands() -> None:
    assert advice_on(scores(n_unjudged=0)) == (
        "P@10: 0.3000 needs no adjustment, since none of the 500 documents above the "
        "cutoff is unjudged"
    )


def test_where_nothing_was_measured_nothing_is_recommended() -> None:
    advice = advice_on(scores(recommended=None))
    assert advice.startswith("P@10: no estimate is recommended, since no organization can be left")


@pytest.mark.parametrize(("column", "value"), [("n_ranked_pooled", None), ("pool_depth", None)])
def test_what_a_collection_may_lack(column: str, value: None) -> None:
    advice = advice_on(scores().with_columns(pl.lit(value, pl.Int64).alias(column)))
    assert ("of 12 with the other runs" in advice) is (column == "n_ranked_pooled")
    assert ("pooled 50 deep" in advice) is (column != "pool_depth")
