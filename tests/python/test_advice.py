"""Test the sentence at the end of the output of `adjust`."""

import polars as pl
import pytest

from poolhouse.estimating.advice import advice_on, advised

# Estimator, estimate, estimate inside the bounds, and measured error.
ESTIMATES = (
    ("unadjusted", 0.30, 0.30, 0.06),
    ("webber_park_systems", 0.35, 0.35, 0.02),
    ("lipani", 0.42, 0.38, 0.04),
)
OF_THE_POOL = {
    "n_measured_runs": 8,
    "n_measured_organizations": 5,
    "mean_residual": 0.1,
    "largest_residual": 0.1,
}


def scores(
    recommended: str | None = "webber_park_systems", **values: int | float | str | bool | None
) -> pl.DataFrame:
    rows = [
        {
            "measure": measure,
            "unjudged": unjudged,
            "estimator": estimator,
            "unadjusted_score": 0.30,
            "adjusted_score": score,
            "clipped_score": clipped,
            "is_outside_bounds": score != clipped,
            "n_unjudged": 40,
            "n_top_documents": 500,
            "lower_bound": 0.3,
            "upper_bound": 0.38,
            "upper_bound_if_pooled": 0.38,
            "beyond_pool_depth": False,
            "n_judged_topics": 50,
            "expected_error": error,
            "left_out_error": 0.07,
            "advice": "estimated",
            **dict.fromkeys(("standard_error", "t_95_low", "t_95_high")),
            "is_recommended": estimator == recommended and unjudged == "nonrelevant",
            **OF_THE_POOL,
            **values,
        }
        for measure in ("P@5", "P@10")
        for unjudged in ("nonrelevant", "condensed")
        for estimator, score, clipped, error in ESTIMATES
    ]
    return pl.DataFrame(rows, infer_schema_length=None)


def test_it_names_the_estimator_its_error_what_it_rests_on_and_what_is_possible() -> None:
    assert advice_on(scores()) == (
        "P@10: take webber_park_systems, 0.3500 (expected to be off by 0.0200), which had "
        "the lowest error plus its uncertainty, of what leaderboards can apply, when one "
        "organization at a time was left out of the pool (8 pooled runs, 5 organizations, 50 "
        "topics); possible is any score between 0.3000 and 0.3800, since 40 of 500 documents "
        "above the cutoff are unjudged"
    )


def test_an_estimate_with_an_interval_has_no_error_of_other_runs() -> None:
    """The interval is of this run, and is cut to the possible scores."""
    with_interval = scores(standard_error=0.02, t_95_low=0.31, t_95_high=0.39)
    advice = advice_on(with_interval)
    assert (
        "take webber_park_systems, 0.3500 (0.3100 to 0.3800 with 95 % confidence), which" in advice
    )
    assert "off by" not in advice


def test_both_bounds_are_named_where_the_measure_looks_deeper_than_the_pool() -> None:
    in_pool = 0.36
    both = "between 0.3000 and 0.3600 if the run is pooled, and up to 0.3800 if all its documents"
    assert f"possible is any score {both} are judged, since" in advice_on(
        scores(upper_bound_if_pooled=in_pool)
    )
    assert f"cannot be told, {both} are judged: 40" in (
        advice_on(
            scores(
                None, advice="cannot be told", largest_residual=0.05, upper_bound_if_pooled=in_pool
            )
        )
    )


def test_the_score_as_it_is_may_be_the_best() -> None:
    advice = advice_on(scores("unadjusted"))
    assert advice.startswith(
        "P@10: take the score as it is, 0.3000 (expected to be off by 0.0600), which "
        "had the lowest error plus its uncertainty, of what leaderboards can apply"
    )


def test_an_estimate_outside_the_bounds_is_clipped_and_said_so() -> None:
    advice = advice_on(scores("lipani"))
    assert (
        "take lipani, 0.3800 (the most that pooling the run could give; the estimate itself is 0.42"
    ) in advice


def test_where_nothing_is_unjudged_the_score_stands() -> None:
    assert advice_on(scores(None, advice="nothing unjudged", n_unjudged=0)) == (
        "P@10: 0.3000 needs no adjustment, since none of the 500 documents above the "
        "cutoff is unjudged"
    )


def test_where_nothing_is_unjudged_down_to_the_pool_depth_the_score_stands() -> None:
    assert advice_on(scores(None, advice="nothing unjudged")) == (
        "P@10: 0.3000 needs no adjustment, since all its documents down to the pool depth are "
        "judged: pooled runs too have unjudged documents below; judging these could give any score "
        "up to 0.3800"
    )


def test_a_run_unlike_the_measured_ones_cannot_be_told() -> None:
    advice = advice_on(scores(None, advice="cannot be told", largest_residual=0.05))
    assert advice == (
        "P@10: cannot be told, between 0.3000 and 0.3800: 40 of 500 documents above the cutoff are "
        "unjudged, and the errors of estimates were measured on runs with fewer (an unjudged "
        "weight of at most 0.0500 down to the pool depth; this run has 0.0800)"
    )


def test_where_nothing_was_measured_nothing_is_recommended() -> None:
    nothing = dict.fromkeys(OF_THE_POOL)
    advice = advice_on(scores(None, advice="cannot be told", **nothing))
    assert advice.startswith("P@10: cannot be told, between 0.3000 and 0.3800")
    assert "no organization can be left out of this pool" in advice


def test_where_no_pool_is_known_there_is_nothing_to_estimate_from() -> None:
    """The pool may have organizations enough; a remark of `adjust` has the reason."""
    of_no_pool = scores(None, advice="cannot be told", **dict.fromkeys(OF_THE_POOL))
    advice = advice_on(of_no_pool.filter(estimator="unadjusted"))
    assert advice.endswith("and no pool is known from which one could estimate (a note says why)")


def test_few_topics_and_organizations_are_said() -> None:
    advice = advice_on(scores(n_judged_topics=1, n_measured_organizations=2))
    assert "2 organizations, 1 topic; so few organizations and topics say little)" in advice


def test_few_topics_and_organizations_are_said_where_the_score_cannot_be_told() -> None:
    few = {"n_judged_topics": 1, "n_measured_organizations": 2, "n_measured_runs": 3}
    advice = advice_on(scores(None, advice="cannot be told", mean_residual=0.05, **few))
    assert advice.endswith(
        "this run has 0.0800), on 3 pooled runs, 2 organizations, 1 topic; so few pooled runs, "
        "organizations and topics say little"
    )


def test_a_single_document_is_unjudged() -> None:
    advice = advice_on(scores(n_unjudged=1))
    assert advice.endswith("since 1 of 500 documents above the cutoff is unjudged")


def test_each_measure_has_one_advised_row() -> None:
    for recommended in ("lipani", None):
        rows = advised(scores(recommended))
        assert rows["measure"].to_list() == ["P@5", "P@10"]
        assert set(rows["estimator"]) == {recommended or "unadjusted"}


@pytest.mark.parametrize(("estimator", "words"), [
    ("filled_by_umbrela", "take the score filled by umbrela, "),
    ("rectified_by_umbrela", "take the score filled by umbrela and rectified, "),
])  # fmt: skip
def test_an_estimate_by_labels_names_their_author(estimator: str, words: str) -> None:
    renamed = pl.col("estimator").replace("webber_park_systems", estimator)
    assert words in advice_on(scores().with_columns(estimator=renamed))


def test_documents_without_labels() -> None:
    advice = advice_on(scores(None, advice="cannot be told", largest_residual=None))
    assert "takes the labels of an author, who did not label them" in advice
