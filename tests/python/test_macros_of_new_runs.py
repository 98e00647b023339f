"""Test table macros that score and adjust a run that is not loaded, on rows worked by hand.

Some macros call others. The rows of the called macros are given, so that each macro is tested
alone.
"""

import pytest

from macro_units import Table, call

RUN = "query varchar, docno varchar, score double"
RUN_AS_FILED = f"{RUN}, rank integer, line_number integer"
JUDGED_FOR_IT = "query varchar, docno varchar, grade integer"

# A called macro returns the rows that are given for it, whatever the run is.
ANY_RUN = Table(RUN)
NOTHING_JUDGED = Table(JUDGED_FOR_IT)

# Three collections use the same ids and keys, and differ in the way in which they were pooled.
COLLECTIONS = Table(
    "collection_key, collection_id, relevance_threshold, judged_from, pooling_order",
    (1, "ours", 1, 0, "score"),
    (2, "ranked", 2, -2, "rank"),
    (3, "filed", 1, 0, "file"),
)
TOPICS = Table(
    "collection_key, topic_key, topic_id",
    *((key, *topic) for key in (1, 2, 3) for topic in ((1, "t1"), (2, "t2"), (3, "t3"))),
)
# Topic t3 is not judged.
JUDGED_TOPICS = Table(
    "collection_key, topic_key", *((key, topic) for key in (1, 2, 3) for topic in (1, 2))
)
DOCUMENTS = Table(
    "collection_key, doc_key, doc_id",
    *((key, number, f"D{number}") for key in (1, 2, 3) for number in range(1, 6)),
)

# In `ours`, D1 is relevant, D2 is in the qrels and unjudged, and D3 is not in the qrels. The rows
# of other collections with the same keys must not count.
RANKED = {
    "int_collections": COLLECTIONS,
    "int_topics": TOPICS,
    "int_documents": DOCUMENTS,
    "int_judged_topics": JUDGED_TOPICS,
    "int_judgements": Table(
        "collection_key, topic_key, doc_key, is_judged, is_relevant",
        (1, 1, 1, True, True),
        (1, 1, 2, False, False),
        (1, 2, 3, True, False),
        (2, 1, 3, True, False),
    ),
    "int_pool_depths": Table("collection_key, pool_depth", (1, 2), (2, 1), (3, 1)),
    "int_topic_pools": Table(
        "collection_key, topic_key, is_of_main_pool, pool_depth",
        *((key, topic, True, None) for key in (1, 2, 3) for topic in (1, 2)),
    ),
}

# D1 occurs twice, and counts at its best score. The scores of D2 and D3 are equal as 32-bit floats:
# the higher id comes first in the order by which pools were made.
LINES = (
    ("t1", "D1", 0.5, 3, 1),
    ("t1", "D2", 1.00000001, 2, 2),
    ("t1", "D3", 1.0, 1, 3),
    ("t1", "D1", 3.0, 4, 4),
    ("t1", "D9", 0.25, None, 5),
    ("t3", "D1", 1.0, 1, 6),
    ("t9", "D1", 1.0, 1, 7),
)


def test_rankings_of_a_new_run() -> None:
    columns = "doc_id, topic_id, doc_key, rank, is_above_pool_depth, is_relevant"
    run = Table(RUN_AS_FILED, *LINES)
    assert call("int_new_run_rankings", RANKED, "ours", run, select=columns) == [
        ("D1", "t1", 1, 1, True, True),
        ("D2", "t1", 2, 2, False, None),
        ("D3", "t1", 3, 3, True, None),
        # No run returned this document before, and nobody judged it: its key is new to the
        # collection.
        ("D9", "t1", -4, 4, False, None),
    ]


def test_documents_that_do_not_count() -> None:
    """D1 is left out of topic t1, and of topic 1 of `ours`; ranks close up."""
    columns = "collection_key integer, topic_id varchar, doc_id varchar"
    rows = ((1, "t1", "D1"), (1, "1", "D1"), (2, "t1", "D2"), (1, "t9", "D3"))
    pairs = {"stg_leave_out_pairs": Table(columns, *rows)}
    run = Table(RUN_AS_FILED, *LINES)
    assert call("int_new_run_rankings", RANKED | pairs, "ours", run, select="doc_id, rank") == [
        ("D2", 1),
        ("D3", 2),
        ("D9", 3),
    ]
    judged = Table("query integer, docno varchar, grade integer", (1, "D1", 1), (2, "D1", 0))
    given = {"int_collections": COLLECTIONS} | pairs
    found = call("int_new_run_common_judgements", given, "ours", judged, select="topic_id, grade")
    assert found == [("2", 0)]


@pytest.mark.parametrize(
    ("collection", "d2", "is_d4_relevant"),
    [("ours", [], True), ("ranked", [("1", "D2", 0, False)], False)],
)
def test_common_judgements(
    collection: str, d2: list[tuple[object, ...]], is_d4_relevant: bool
) -> None:
    """The highest of several grades counts. In `ranked` grades of -2 and -1 are judgements."""
    judged = Table(
        "query integer, docno varchar, grade varchar",
        *((1, "D1", "0"), (1, "D1", "2"), (1, "D1", "-1")),
        *((1, "D2", "-1"), (1, "D3", "0"), (2, "D4", "1")),
    )
    given = {"int_collections": COLLECTIONS}
    assert call("int_new_run_common_judgements", given, collection, judged) == [
        ("1", "D1", 2, True),
        *d2,
        ("1", "D3", 0, False),
        ("2", "D4", 1, is_d4_relevant),
    ]


def test_common_topics() -> None:
    given = {
        "int_collections": COLLECTIONS,
        "int_topics": TOPICS,
        "int_documents": DOCUMENTS,
        "int_judged_topics": JUDGED_TOPICS,
        "int_judgements": Table(
            "collection_key, topic_key, doc_key, grade, is_judged",
            *((1, 1, 1, 1, True), (1, 1, 2, 2, True), (1, 1, 5, -1, False), (1, 2, 1, 1, True)),
            (2, 1, 4, 0, True),
        ),
        # The run answers only t1.
        "int_new_run_rankings": Table("topic_id varchar", ("t1",), ("t1",)),
        "int_new_run_common_judgements": Table(
            "topic_id varchar, doc_id varchar, grade integer",
            ("t1", "D1", 1),
            ("t1", "D2", 0),  # the qrels have grade 2
            ("t1", "D4", 1),  # not in the qrels of `ours`; grade 0 in others
            ("t1", "D5", 1),  # in the qrels without a judgement
            ("t2", "D1", 0),  # the qrels have grade 1, but the run does not answer t2
            *(("t3", "D1", 1), ("t9", "D1", 1)),  # t3 is not judged, t9 is unknown
        ),
    }
    columns = "n_common_topics, n_not_judged, n_not_answered, n_conflicting"
    arguments = ("ours", ANY_RUN, NOTHING_JUDGED)
    assert call("int_new_run_common_topics", given, *arguments, select=columns) == [(1, 2, 1, 1)]


def test_no_common_topics() -> None:
    given = {"int_new_run_rankings": Table("topic_id varchar", ("t1",))}
    none = call("int_new_run_common_topics", given, "ours", ANY_RUN, NOTHING_JUDGED)
    assert none == [(0, 0, 0, 0)]


# For P@5, the scores of runs b and a are equal after rounding; for P@10, no run has a score. Runs a
# and c were pooled.
OTHER_RUNS = {
    "int_collections": COLLECTIONS,
    "int_runs": Table(
        "collection_key, run_key, run_id", (1, 1, "a"), (1, 2, "b"), (1, 3, "c"), (2, 4, "d")
    ),
    "int_pooled_states": Table("run_key, is_pooled", (1, True), (2, False), (3, True), (4, True)),
    "int_run_scores": Table(
        "collection_key, run_key, unjudged, measure, score",
        (1, 1, "nonrelevant", "P@5", 0.4),
        (1, 2, "nonrelevant", "P@5", 0.4000000000001),
        (1, 3, "nonrelevant", "P@5", 0.35),
        # None of these rows is the plain score of another run.
        (1, 3, "nonrelevant", "P@10", None),
        (1, 1, "condensed", "P@5", 0.99),
        (2, 4, "nonrelevant", "P@5", 0.99),
    ),
}

NO_INTERVAL = (None, None, None, None)
# The expected gain if all documents are judged, and its intervals.
IF_JUDGED = (0.25, 0.2, 0.3, 0.1, 0.7)

ADJUSTED = {
    **OTHER_RUNS,
    "int_pool_measures": Table(
        "measure, cutoff, pool_key", ("P@5", 5, 0), ("P@10", 10, 0), ("P@5", 50, 1)
    ),
    "int_judged_topics": Table("collection_key, topic_key", (1, 1), (1, 2), (1, 3), (2, 1)),
    "int_pool_depths": Table("collection_key, pool_depth", (1, 5), (2, 50)),
    "int_new_run_estimates": Table(
        "collection_key integer, unjudged varchar, measure varchar, n_topics integer, "
        "n_top_documents integer, n_unjudged integer, unadjusted_score double, "
        "lower_bound double, upper_bound double, upper_bound_if_pooled double, "
        "estimator varchar, adjustment double, ci_68_low double, ci_68_high double, "
        "ci_95_low double, ci_95_high double, gain_if_judged double, "
        "ci_68_low_if_judged double, ci_68_high_if_judged double, ci_95_low_if_judged double, "
        "ci_95_high_if_judged double",
        *(
            (1, "nonrelevant", "P@5", 2, 10, 4, 0.3, 0.3, 0.9, 0.7, *of_estimator, *IF_JUDGED)
            for of_estimator in (
                ("unadjusted", 0.0, *NO_INTERVAL),
                ("lipani", 0.1, *NO_INTERVAL),
                ("too_much", 0.41, 0.31, 0.51, 0.21, 0.61),
            )
        ),
        *(
            (*row, *IF_JUDGED)
            for row in (
                (
                    *(1, "condensed", "P@5", 2, 10, 4, 0.6, 0.3, 0.9, 0.7, "unadjusted", 0.0),
                    *NO_INTERVAL,
                ),
                (
                    *(1, "nonrelevant", "P@10", 2, 20, 0, 0.5, 0.5, 0.5, 0.5, "unadjusted", 0.0),
                    *NO_INTERVAL,
                ),
                (
                    *(1, "nonrelevant", "P@10", 2, 20, 0, 0.5, 0.5, 0.5, 0.5, "lipani", 0.1),
                    *(0.05, 0.15, 0.0, 0.2),
                ),
            )
        ),
    ),
    "int_recommended_estimators": Table(
        "collection_key, measure, estimator, n_runs, n_organizations, mean_residual, "
        "largest_residual, largest_residual_if_judged",
        (1, "P@5", "too_much", 6, 3, 0.3, 0.4, 0.6),
        (2, "P@10", "lipani", 6, 3, 0.3, 0.4, 0.6),
    ),
    "int_estimator_errors": Table(
        "collection_key, pool_key, level, measure, unjudged, estimator, clipped_mae",
        (1, 0, "organization", "P@5", "nonrelevant", "too_much", 0.02),
        (1, 0, "run", "P@5", "nonrelevant", "too_much", 0.9),
        (1, 1, "organization", "P@5", "nonrelevant", "too_much", 0.9),
        (2, 0, "organization", "P@5", "nonrelevant", "too_much", 0.9),
    ),
}


def test_adjusted_scores() -> None:
    columns = (
        "unjudged, estimator, measure, adjustment, adjusted_score, is_outside_bounds, "
        "would_be_rank_among_pooled, n_ranked_pooled, would_be_rank, n_ranked, beyond_pool_depth"
    )
    assert call("adjusted_scores", ADJUSTED, "ours", ANY_RUN, select=columns) == [
        # Condensed, the score is above all others.
        ("condensed", "unadjusted", "P@5", 0.0, 0.6, False, 1, 3, 1, 4, False),
        # None of its documents is unjudged: the score is not adjusted. No other run has a score.
        ("nonrelevant", "lipani", "P@10", 0.0, 0.5, False, None, None, 1, 1, True),
        # The score equals two others, and is above one.
        ("nonrelevant", "lipani", "P@5", 0.1, 0.4, False, 1, 3, 1, 4, False),
        ("nonrelevant", "too_much", "P@5", 0.41, 0.71, True, 1, 3, 1, 4, False),
        ("nonrelevant", "unadjusted", "P@10", 0.0, 0.5, False, None, None, 1, 1, True),
        ("nonrelevant", "unadjusted", "P@5", 0.0, 0.3, False, 3, 3, 4, 4, False),
    ]


def test_intervals_of_adjusted_scores() -> None:
    """A score of which nothing is unjudged is not adjusted, and its intervals are points."""
    columns = "estimator, measure, ci_68_low, ci_68_high, ci_95_low, ci_95_high"
    rows = call("adjusted_scores", ADJUSTED, "ours", ANY_RUN, select=columns)
    assert [row for row in rows if row[2] is not None] == [
        ("lipani", "P@10", 0.5, 0.5, 0.5, 0.5),
        ("too_much", "P@5", 0.61, 0.81, 0.51, 0.91),
    ]
    assert {row[2:] for row in rows if row[2] is None} == {(None,) * 4}


def test_scores_if_every_document_is_judged() -> None:
    """Below the pool depth expected relevance has the estimate, whatever is recommended above.

    Its expected error is half of the interval of 68 %, from .5 to .6, times sqrt(2 / pi).
    """
    columns = "distinct measure, advice, advice_if_pooled, if_judged_estimator, if_judged"
    columns += ", if_judged_95_low, if_judged_95_high, round(if_judged_expected_error, 4) as off"
    estimated = ("expected_relevance", 0.55, 0.4, 0.9, 0.0399)
    assert call("adjusted_scores", ADJUSTED, "ours", ANY_RUN, select=columns) == [
        ("P@10", "nothing unjudged", "nothing unjudged", None, 0.5, None, None, None),
        ("P@5", "estimated", "estimated", *estimated),
    ]


def test_the_recommended_estimate_is_the_score_if_every_document_is_judged() -> None:
    """Pooling the run would have all of its documents judged."""
    estimates = ADJUSTED["int_new_run_estimates"]
    rows = [(*row[:8], row[9], *row[9:]) for row in estimates.rows]
    given = {**ADJUSTED, "int_new_run_estimates": Table(estimates.columns, *rows)}
    columns = (
        "distinct measure, if_judged_estimator, if_judged, if_judged_95_low, if_judged_95_high"
    )
    found = call("adjusted_scores", given, "ours", ANY_RUN, select=columns)
    assert found[-1] == ("P@5", "too_much", 0.7, 0.51, 0.7)


def test_what_is_advised_of_adjusted_scores() -> None:
    """The recommended estimate is clipped to its bound; nothing is measured for P@10.

    The expected error is of the estimate: half of its interval of 68 %, 0.1, times sqrt(2 / pi).
    """
    columns = "measure, unjudged, estimator, clipped_score, round(expected_error, 4) as off"
    columns += ", left_out_error, advice, is_recommended"
    columns += ", n_measured_runs, n_measured_organizations, mean_residual, largest_residual"
    basis = (6, 3, 0.3, 0.4)
    assert call("adjusted_scores", ADJUSTED, "ours", ANY_RUN, select=columns) == [
        ("P@10", "nonrelevant", "lipani", 0.5, 0.0, None, "nothing unjudged", False, *[None] * 4),
        ("P@10", "nonrelevant", "unadjusted", 0.5, None, None, "nothing unjudged", False)
        + (None,) * 4,
        ("P@5", "condensed", "unadjusted", 0.6, None, None, "estimated", False, *basis),
        ("P@5", "nonrelevant", "lipani", 0.4, None, None, "estimated", False, *basis),
        ("P@5", "nonrelevant", "too_much", 0.7, 0.0798, 0.02, "estimated", True, *basis),
        ("P@5", "nonrelevant", "unadjusted", 0.3, None, None, "estimated", False, *basis),
    ]


@pytest.mark.parametrize(("mean_residual", "error", "expected"), [
    (0.4, 0.02, 0.02),
    (0.399, 0.02, None),
    (0.4, 0.35, 0.3),
])  # fmt: skip
def test_the_mean_error_of_left_out_runs_stands_in_for_runs_like_them(
    mean_residual: float, error: float, expected: float | None
) -> None:
    """The run has an unjudged weight of .4; its bounds allow no larger error than .3."""
    recommended, errors = ADJUSTED["int_recommended_estimators"], ADJUSTED["int_estimator_errors"]
    given = {
        **ADJUSTED,
        "int_recommended_estimators": Table(
            recommended.columns, (1, "P@5", "lipani", 6, 3, mean_residual, 0.4, 0.6)
        ),
        "int_estimator_errors": Table(
            errors.columns, (1, 0, "organization", "P@5", "nonrelevant", "lipani", error)
        ),
    }
    columns = "measure, estimator, round(expected_error, 9) as off, left_out_error"
    rows = call("adjusted_scores", given, "ours", ANY_RUN, select=columns)
    assert ("P@5", "lipani", expected, error) in rows


def test_a_run_with_more_unjudged_documents_cannot_be_told() -> None:
    recommended = ADJUSTED["int_recommended_estimators"]
    given = {
        **ADJUSTED,
        "int_recommended_estimators": Table(
            recommended.columns, (1, "P@5", "too_much", 6, 3, 0.5, 0.399, 0.599)
        ),
    }
    rows = call("adjusted_scores", given, "ours", ANY_RUN, select="measure, advice, is_recommended")
    assert {row for row in rows if row[0] == "P@5"} == {("P@5", "cannot be told", False)}


def test_adjusted_scores_but_for_one_run() -> None:
    columns = (
        "estimator, measure, would_be_rank_among_pooled, n_ranked_pooled, would_be_rank, n_ranked, "
        "n_topics, n_judged_topics"
    )
    rows = call("adjusted_scores", ADJUSTED, "ours", ANY_RUN, except_run="a", select=columns)
    assert rows[-1] == ("unadjusted", "P@5", 2, 2, 3, 3, 2, 3)
