"""Test the sentence at the end of the output of `adjust`."""

import polars as pl
import pytest

from poolhouse.scoring.estimating.advice import advice_on, advised

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
    "largest_residual_if_judged": 0.6,
}


def scores(
    recommended: str | None = "webber_park_systems", **values: int | float | str | bool | None
) -> pl.DataFrame:
    clipped_scores = {name: clipped for name, _, clipped, _ in ESTIMATES}
    if_judged = clipped_scores[recommended or "unadjusted"]
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
            "advice_if_pooled": "estimated",
            "if_judged": if_judged,
            "if_judged_estimator": recommended,
            "if_judged_expected_error": 0.02,
            **dict.fromkeys(("if_judged_95_low", "if_judged_95_high")),
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
        "P@10: 0.3500 if every document were judged (expected to be off by 0.0200), by "
        "webber_park_systems, which had the lowest error plus its uncertainty, of what "
        "leaderboards can apply, when one organization at a time was left out of the pool (8 "
        "pooled runs, 5 organizations, 50 topics); possible is any score between 0.3000 and "
        "0.3800, since 40 of 500 documents above the cutoff are unjudged"
    )


def test_an_estimate_with_an_interval_has_no_error_of_other_runs() -> None:
    """The interval is of this run."""
    advice = advice_on(scores(if_judged_95_low=0.31, if_judged_95_high=0.38))
    assert "judged (0.3100 to 0.3800 with 95 % confidence), by webber_park_systems, which" in advice
    assert "off by" not in advice


def test_below_the_pool_depth_the_pool_shows_what_to_expect() -> None:
    """The errors of left-out organizations say nothing of documents that no pool judged."""
    in_pool = 0.36
    told = advice_on(
        scores(if_judged_estimator="expected_relevance", upper_bound_if_pooled=in_pool)
    )
    assert "by expected_relevance, from what the pool shows of such documents (8 pooled" in told
    assert "lowest error" not in told
    cannot = scores(None, advice="cannot be told", upper_bound_if_pooled=in_pool)
    untold = advice_on(cannot)
    assert untold.endswith(
        "(an unjudged weight of at most 0.6000 down to the cutoff; this run has 0.0800)"
    )
    unknown = pl.lit(None, pl.Float64)
    of_few = advice_on(cannot.with_columns(largest_residual_if_judged=unknown))
    assert of_few.endswith(
        "the pool has too few organizations to estimate documents below its depth"
    )


def test_a_measure_without_bounds_has_no_possible_scores() -> None:
    """Judging more documents may also lower AP."""
    unknown = pl.lit(None, pl.Float64)
    shares = {"unjudged_share": pl.lit(0.7), "largest_unjudged_share": pl.lit(0.6)}
    frame = scores(if_judged_estimator="expected_relevance").with_columns(
        lower_bound=unknown, upper_bound=unknown, upper_bound_if_pooled=unknown, **shares
    )
    assert advice_on(frame).endswith("; 40 of 500 documents above the cutoff are unjudged")
    cannot = frame.with_columns(advice=pl.lit("cannot be told"))
    assert advice_on(cannot) == (
        "P@10: cannot be told: 40 of 500 documents above the cutoff are unjudged, and the errors "
        "of estimates were measured on runs with fewer (a share of at most 60% of the weight; this "
        "run has 70%)"
    )
    of_few = cannot.with_columns(largest_unjudged_share=unknown)
    assert advice_on(of_few).endswith(
        "the pool has too few organizations to estimate documents below its depth"
    )


def test_the_score_as_it_is_may_be_the_best() -> None:
    advice = advice_on(scores("unadjusted"))
    assert advice.startswith(
        "P@10: 0.3000 if every document were judged (expected to be off by 0.0200), by the score "
        "as it is, which had the lowest error plus its uncertainty"
    )


def test_where_nothing_is_unjudged_the_score_stands() -> None:
    assert advice_on(scores(None, advice="nothing unjudged", n_unjudged=0)) == (
        "P@10: 0.3000 needs no adjustment, since none of the 500 documents above the "
        "cutoff is unjudged"
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
    ("filled_by_umbrela", "by the score filled by umbrela, "),
    ("rectified_by_umbrela", "by the score filled by umbrela and rectified, "),
])  # fmt: skip
def test_an_estimate_by_labels_names_their_author(estimator: str, words: str) -> None:
    assert words in advice_on(scores(if_judged_estimator=estimator))


def test_documents_without_labels() -> None:
    advice = advice_on(scores(None, advice="cannot be told", largest_residual=None))
    assert "takes the labels of an author, who did not label them" in advice
