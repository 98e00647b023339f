"""Test table macros of samples of runs and topics, and of planning, on rows worked by hand."""

from math import nan, sqrt

import duckdb
import pytest

from experiments_reference import lot
from macro_units import Table, call

COLLECTIONS = Table("collection_key, collection_id", (1, "ours"), (2, "theirs"))
JUDGED_TOPICS = Table("collection_key, topic_key", (1, 1), (1, 2), (2, 1), (2, 2), (2, 3))
OF_JUDGED_TOPICS = {"int_collections": COLLECTIONS, "int_judged_topics": JUDGED_TOPICS}


# Run a may not be in a pool, and runs c and d may not be the unpooled run.
POPULATIONS = {
    "int_collections": COLLECTIONS,
    "int_populations": Table(
        "collection_key, population, run_key, run_id, may_be_unpooled, may_be_pooled",
        (1, "all", 1, "a", True, False),
        (1, "all", 2, "b", True, True),
        (1, "all", 3, "c", False, True),
        (1, "all", 4, "d", False, True),
        (1, "manual", 5, "e", True, True),
        (2, "all", 6, "f", True, True),
    ),
}


def drawn(seed: int, width: int, samples: range) -> list[tuple[int, int, str]]:
    names = {"a": 1, "b": 2, "c": 3, "d": 4}
    expected = []
    for sample in samples:
        by_lot = sorted(names, key=lambda run: lot(seed, "run", sample, run))
        unpooled = next(run for run in by_lot if run in "ab")
        pooled = [run for run in by_lot if run in "bcd" and run != unpooled][:width]
        expected += [(sample, names[run], "pooled") for run in pooled]
        expected.append((sample, names[unpooled], "unpooled"))
    return sorted(expected)


@pytest.mark.parametrize(
    ("seed", "width", "samples"), [(1, 1, (3, 9)), (1, 2, (3, 9)), (8, 9, (1, 5))]
)
def test_sampled_runs(seed: int, width: int, samples: tuple[int, int]) -> None:
    first, last = samples
    rows = call("sampled_runs", POPULATIONS, "ours", "all", width, first, last, seed)
    assert rows == drawn(seed, width, range(first, last + 1))
    # Both runs may be the unpooled one, and in some samples each is.
    assert {run for _, run, role in rows if role == "unpooled"} == {1, 2}


def test_no_sampled_runs() -> None:
    assert call("sampled_runs", POPULATIONS, "ours", "automatic", 2, 1, 3, 7) == []
    assert call("sampled_runs", POPULATIONS, "other", "all", 2, 1, 3, 7) == []
    # A single run has no pool.
    assert call("sampled_runs", POPULATIONS, "theirs", "all", 2, 1, 1, 7) == [(1, 6, "unpooled")]


def test_sampled_topics() -> None:
    given = {
        "int_collections": COLLECTIONS,
        "int_judged_topics": Table("collection_key, topic_key", (1, 1), (1, 2), (1, 3), (2, 4)),
        "int_topics": Table(
            "collection_key, topic_key, topic_id",
            *((1, 1, "x"), (1, 2, "y"), (1, 3, "z"), (1, 4, "not judged"), (2, 4, "theirs")),
            (2, 1, "of another collection"),
        ),
    }
    topics = {"x": 1, "y": 2, "z": 3}
    expected = []
    for sample in (2, 3, 4):
        for topic_sample in (1, 2):
            order = sorted(topics, key=lambda name: lot(5, "topic", sample, topic_sample, name))
            expected += [
                (sample, topic_sample, topics[name], place) for place, name in enumerate(order, 1)
            ]
    columns = "sample, topic_sample, topic_key, place"
    rows = call("sampled_topics", given, "ours", 2, 4, 2, 5, select=columns)
    assert rows == sorted(expected)
    assert len({row[2] for row in rows if row[3] == 1}) > 1


# In topic 1, to depth 2, run 1 contributes D1 and D2, run 2 D3 and D4, and run 3 D4 and D1. At rank
# 3, they have D3, D1 and D5. In topic 2, only run 2 returns documents. Relevant are D1 and D3 of
# topic 1, and D6 of topic 2.
RANKED = {
    "int_collections": COLLECTIONS,
    "int_judged_topics": JUDGED_TOPICS,
    "int_judgements": Table(
        "collection_key, topic_key, doc_key, is_relevant",
        *((1, 1, 1, True), (1, 1, 3, True), (1, 1, 4, False), (1, 2, 6, True), (2, 1, 2, True)),
    ),
    "int_topic_pools": Table(
        "collection_key, topic_key, is_of_main_pool, pool_depth",
        *((1, 1, True, None), (1, 2, True, None), (2, 1, True, None)),
    ),
}
RANKINGS = [
    *(
        (1, run, 1, doc, rank)
        for run, docs in {1: (1, 2, 3), 2: (3, 4, 1), 3: (4, 1, 5)}.items()
        for rank, doc in enumerate(docs, 1)
    ),
    (1, 2, 2, 6, 1),
    (1, 2, 9, 1, 1),  # a topic that is not judged
]
RANKINGS_ASKED = Table(
    "collection_key integer, run_key integer, topic_key integer, doc_key integer, rank integer",
    *RANKINGS,
)
SAMPLES = Table(
    "sample integer, run_key integer, role varchar",
    *((1, 1, "unpooled"), (1, 2, "pooled"), (1, 3, "pooled")),
    *((2, 2, "unpooled"), (2, 1, "pooled")),
)


def test_sampled_rankings() -> None:
    """D5 of topic 1 is at rank 3 alone, and in no pool of depth 2. D3 and D1 are in a top."""
    given = {
        "int_collections": COLLECTIONS,
        "int_rankings": Table(
            "collection_key, run_key, topic_key, doc_key, rank",
            *RANKINGS,
            (2, 4, 1, 5, 1),  # a run of another collection
        ),
    }
    columns = "collection_key, run_key, topic_key, doc_key, rank"
    rows = call("sampled_rankings", given, "ours", 2, select=columns)
    assert rows == sorted(row for row in RANKINGS if row != (1, 3, 1, 5, 3))


def test_sampled_topic_scores() -> None:
    """In sample 1, run 3 has contributed D1 as well, and D2 is unjudged.

    In sample 2, run 2 alone has D3. D1, which run 1 contributed, is at rank 3. No other run has D6.
    """
    columns = "pool_key, topic_key, unjudged, measure, true_score, unpooled_score, residual"
    rows = call("sampled_topic_scores", RANKED, "ours", SAMPLES, RANKINGS_ASKED, 2, select=columns)
    assert [row for row in rows if any(row[4:])] == [
        # Condensed, D3 moves up to rank 2.
        (1, 1, "condensed", "P@2", 0.5, 1.0, None),
        (1, 1, "condensed", "RBP(p=0.8)@2", 0.2, 0.36, None),
        # D2 is unjudged.
        (1, 1, "nonrelevant", "P@2", 0.5, 0.5, 0.5),
        (1, 1, "nonrelevant", "RBP(p=0.8)@2", 0.2, 0.2, 0.16),
        # Condensed, D1 moves up to rank 1.
        (2, 1, "condensed", "P@2", 0.5, 0.5, None),
        (2, 1, "condensed", "RBP(p=0.8)@2", 0.2, 0.2, None),
        # D3 and D4 are unjudged, and so is the only document of topic 2.
        (2, 1, "nonrelevant", "P@2", 0.5, 0.0, 1.0),
        (2, 1, "nonrelevant", "RBP(p=0.8)@2", 0.2, 0.0, 0.36),
        (2, 2, "condensed", "P@2", 0.5, 0.0, None),
        (2, 2, "condensed", "RBP(p=0.8)@2", 0.2, 0.0, None),
        (2, 2, "nonrelevant", "P@2", 0.5, 0.0, 0.5),
        (2, 2, "nonrelevant", "RBP(p=0.8)@2", 0.2, 0.0, 0.2),
    ]
    # There are two samples, two judged topics (answered or not), two treatments, and two measures.
    assert len({row[:4] for row in rows}) == len(rows) == 16


def test_sampled_estimates() -> None:
    """The estimates are means over two topics, by P@2.

    In sample 1, run 2 loses D3, and D6 of topic 2; run 3 loses D1, unless run 1 is in its place. In
    sample 2, run 1 loses D1, which run 2 in its place does not contribute.
    """
    rows = call("sampled_estimates", RANKED, "ours", SAMPLES, RANKINGS_ASKED, 2)
    with_, without = "webber_park_systems", "webber_park_systems_no_substitution"
    shown = {(*row[:2], row[3]): row[4:] for row in rows if row[2] == "P@2"}
    assert shown == {
        (1, "nonrelevant", "unadjusted"): (0.25, 0.25),
        (1, "nonrelevant", with_): (0.25, 0.25 + (1.0 / 2 + 0) / 2),
        (1, "nonrelevant", without): (0.25, 0.25 + (1.0 / 2 + 0.5 / 2) / 2),
        # D2 is unjudged. The products of precisions are 6/11 * 71/121 = 0.32 of run 1, 1/4 of run
        # 3, and 5/11 * 50/121 = 0.19 and 5/11 * 5/11 = 0.21 of run 2. The examples D3, D6 and D1
        # are relevant. D3 and D6 have no support, as D2 has none: its factor is
        # (2 + 10) / (0.39 + 10 * 0.21) = 4.7, so that the probability is 1.
        (1, "nonrelevant", "expected_relevance"): (0.25, 0.25 + 0.5 / 2),
        # Condensed, run 2 keeps D4 and D1 in topic 1: it loses nothing there.
        (1, "condensed", "unadjusted"): (0.25, 0.5),
        (1, "condensed", with_): (0.25, 0.5 + (0.5 / 2 + 0) / 2),
        (1, "condensed", without): (0.25, 0.5 + (0.5 / 2 + 0.5 / 2) / 2),
        (2, "nonrelevant", "unadjusted"): (0.5, 0.0),
        (2, "nonrelevant", with_): (0.5, 0.5 / 2),
        (2, "nonrelevant", without): (0.5, 0.5 / 2),
        # Runs 1 and 2 share no document: both precisions are 0.
        (2, "nonrelevant", "expected_relevance"): (0.5, 0.0),
        # Nobody judged the contributions of run 2: in the place of run 1, it leaves nothing judged.
        (2, "condensed", "unadjusted"): (0.5, 0.25),
        (2, "condensed", with_): (0.5, 0.25 + 0.5 / 2),
        (2, "condensed", without): (0.5, 0.25 + 0.5 / 2),
    }


def test_sampled_topic_estimates() -> None:
    """On three topics, deltas are 0.2, 0.4 and 0; the means of u and t are 0.3 and 0.5.

    The first two deltas have the mean 0.3: the adjusted score is 0.6, the mixed score is 0.3 + 0.3
    * 2 / 3. Their variance is 0.02, and the error is sqrt((3 - 2) / 3 * 0.02 / 2) = sqrt(1 / 300).
    Their true scores are equal, which says nothing about other topics. Where all topics are common,
    there is no error. Over all topics, the variance of the deltas is 0.04, and that of t is 0.03.
    """
    scores = Table(
        "pool_key integer, topic_key integer, unjudged varchar, measure varchar, "
        "true_score double, unpooled_score double, residual double, collection_key integer, "
        "run_key integer",
        (1, 1, "nonrelevant", "P@5", 0.6, 0.4, 0.4, 7, 5),
        (1, 2, "nonrelevant", "P@5", 0.6, 0.2, 0.6, 7, 5),
        (1, 3, "nonrelevant", "P@5", 0.3, 0.3, 0.2, 7, 5),
        (2, 1, "nonrelevant", "P@5", 0.9, 0.9, 0, 7, 5),
    )
    topics = Table(
        "sample integer, topic_sample integer, topic_key integer, place integer",
        *((1, 1, 1, 1), (1, 1, 2, 2), (1, 1, 3, 3)),
        *((1, 2, 1, 2), (1, 2, 2, 1), (1, 2, 3, 3)),
    )
    columns = (
        "topic_sample, n_common_topics, n_topics, true_score, unadjusted_score, mixed_score, "
        "sampled_score, adjusted_score, adjusted_standard_error, sampled_standard_error, "
        "[round(delta, 9) for delta in deltas], has_equal_deltas, has_smaller_adjusted_variance, "
        "has_smaller_variance_over_all_topics"
    )
    rows = call("sampled_topic_estimates", {}, scores, topics, [2, 1, 3, 4], select=columns)
    error = round((1 / 300) ** 0.5, 9)
    assert {row[-1] for row in rows} == {False}
    assert [row[:-1] for row in rows] == [
        # One topic says nothing about other topics. There are no four topics.
        (1, 1, 3, 0.5, 0.3, round(0.3 + 0.2 / 3, 9), 0.6, 0.5, None, None, [0.2], True, None),
        (1, 2, 3, 0.5, 0.3, 0.5, 0.6, 0.6, error, None, [0.2, 0.4], False, False),
        (1, 3, 3, 0.5, 0.3, 0.5, 0.5, 0.5, None, None, [0.2, 0.4, 0.0], False, False),
        (2, 1, 3, 0.5, 0.3, round(0.3 + 0.4 / 3, 9), 0.6, 0.7, None, None, [0.4], True, None),
        (2, 2, 3, 0.5, 0.3, 0.5, 0.6, 0.6, error, None, [0.4, 0.2], False, False),
        (2, 3, 3, 0.5, 0.3, 0.5, 0.5, 0.5, None, None, [0.4, 0.2, 0.0], False, False),
    ]


def test_sampled_topic_estimates_by_residuals() -> None:
    """Four topics have u = 0.1; t is 0.3, 0.3 and 0.8 on the first three, and 0.1 on the fourth.

    The deltas are 0.2, 0.2 and 0.7, and the residuals 0.2, 0.4 and 0.9. R is 1.1 / 1.5, and it is
    multiplied by a mean of 0.5 over all four topics. The differences are 0.08 / 1.5, -0.14 / 1.5
    and 0.06 / 1.5, and their squares add up to 0.0296 / 2.25. For the line, the means are 11 / 30
    and 0.5, the sum of squares is 0.26, the sum of products is 0.2, and b = 10 / 13. The squares
    about the line add up to 1 / 6 - 2 / 13 = 1 / 78, with one degree of freedom. Where the
    residuals are equal but for float noise, the line gives the estimate without residuals. Where
    there are no residuals, the ratio gives it, too. An estimate has no error where the gains are
    proportional to the residuals, or on a line.
    """
    columns = (
        "pool_key integer, topic_key integer, unjudged varchar, measure varchar, "
        "true_score double, unpooled_score double, residual double, collection_key integer, "
        "run_key integer"
    )
    kinds = {
        "nonrelevant": (0.2, 0.4, 0.9, 0.5),
        "equal": (0.5, 0.5, 0.5, 0.1),
        "nearly equal": (0.1 + 0.2, 0.3, 0.3, 0.1),
        "in proportion": (0.2, 0.2, 0.7, 0.5),
        "on a line": (0.3, 0.3, 0.8, 0.2),
        "judged": (0.0, 0.0, 0.0, 0.4),
        "condensed": (None,) * 4,
    }
    scores = Table(
        columns,
        *(
            (1, topic, unjudged, "P@5", true, 0.1, residuals[topic - 1], 7, 5)
            for unjudged, residuals in kinds.items()
            for topic, true in ((1, 0.3), (2, 0.3), (3, 0.8), (4, 0.1))
        ),
    )
    topics = Table(
        "sample integer, topic_sample integer, topic_key integer, place integer",
        *((1, 1, topic, topic) for topic in range(1, 5)),
    )
    shown = (
        "unjudged, n_common_topics, mean_residual, common_residual, ratio_score, "
        "ratio_standard_error, is_ratio_fallback, regression_score, regression_standard_error, "
        "is_regression_fallback"
    )
    rows = call("sampled_topic_estimates", {}, scores, topics, [1, 2, 3, 4], select=shown)
    found = {row[:2]: row[2:] for row in rows}
    assert len(found) == len(rows) == 7 * 4
    today, error = 0.1 + 1.1 / 3, sqrt(1 / 4 / 3 * (1 / 6) / 2)
    none = (None,) * 3
    for key, expected in {
        # One topic has no variance.
        ("nonrelevant", 1): (0.5, 0.2, 0.1 + 0.2 / 0.2 * 0.5, None, False),
        ("nonrelevant", 2): (0.5, 0.3, 0.1 + 0.4 / 0.6 * 0.5, sqrt(2 / 4 / 2 * 0.04 / 4.5), False),
        ("nonrelevant", 3): (
            *(0.5, 0.5, 0.1 + 1.1 / 1.5 * 0.5, sqrt(1 / 4 / 3 * 0.0296 / 2.25 / 2), False),
            *(today, sqrt(1 / 4 / 3 / 78), False),
        ),
        # All topics are common: the estimate is the mean of t.
        ("nonrelevant", 4): (0.5, 0.5, 0.375, None, False, 0.375, None, False),
        # The ratio is 1.1 / 1.5, of a mean of 0.4; the variance about it is the variance of the
        # deltas.
        ("equal", 3): (0.4, 0.5, 0.1 + 1.1 / 1.5 * 0.4, error, False, today, error, True),
        ("nearly equal", 3): (0.25, 0.3, 0.1 + 1.1 / 0.9 * 0.25, error, False, today, error, True),
        # R is 1, and so is b.
        ("in proportion", 3): (0.4, 1.1 / 3, 0.5, None, False, 0.5, None, False),
        # b is 1, and R is 1.1 / 1.4: the differences are -0.05 / 1.4 twice, and 0.1 / 1.4.
        ("on a line", 3): (
            *(0.4, 1.4 / 3, 0.1 + 1.1 / 1.4 * 0.4, sqrt(1 / 4 / 3 * 0.015 / 1.96 / 2), False),
            *(0.4, None, False),
        ),
        ("judged", 3): (0.1, 0, today, error, True, today, error, True),
        # The two deltas are equal.
        ("judged", 2): (0.1, 0, 0.3, None, True),
        ("condensed", 3): (None,) * 8,
        ("condensed", 2): (None,) * 5,
    }.items():
        whole = (*expected, *none) if len(expected) == 5 else expected
        if key[0] == "condensed":
            # The last value, which only says whether the line falls back, is not compared.
            assert found[key][:-1] == (None,) * 7
            continue
        assert found[key] == tuple(
            round(value, 9) if isinstance(value, float) else value for value in whole
        ), key


def test_sampled_topic_errors() -> None:
    """The adjusted scores of two samples of topics are 0.1 above the true score, and 0.2 below."""
    estimates = Table(
        "sample integer, unjudged varchar, measure varchar, n_topics integer, "
        "n_common_topics integer, has_smaller_adjusted_variance boolean, true_score double, "
        "unadjusted_score double, mixed_score double, sampled_score double, "
        "adjusted_score double, has_smaller_variance_over_all_topics boolean, "
        "ratio_score double, is_ratio_fallback boolean, regression_score double, "
        "is_regression_fallback boolean",
        *(
            (1, "nonrelevant", "P@5", 3, *row)
            for row in (
                (2, True, 0.5, 0.3, 0.5000000000001, 0.4, 0.6, True, 0.7, False, None, None),
                (2, False, 0.5, 0.3, 0.5, 0.7, 0.3, True, 0.4, True, None, None),
                (3, None, 0.5, 0.3, 0.5, 0.5, 0.5, True, None, None, 0.5, True),
            )
        ),
    )
    columns = (
        "n_common_topics, estimator, n_topic_samples, mean_error, mean_absolute_error, "
        "mean_squared_error, n_smaller_adjusted_variance, has_smaller_variance_over_all_topics, "
        "mean_absolute_error = 0, n_fallback"
    )
    assert call("sampled_topic_errors", {}, estimates, select=columns) == [
        (2, "mixed", 2, 0.0, 0.0, 0.0, 1, True, True, None),  # to 9 decimals
        (2, "ratio_common_topics", 2, 0.05, 0.15, 0.025, 1, True, False, 1),
        (2, "sampled", 2, 0.05, 0.15, 0.025, 1, True, False, None),
        (2, "unadjusted", 2, -0.2, 0.2, 0.04, 1, True, False, None),
        (2, "webber_park_topics", 2, -0.05, 0.15, 0.025, 1, True, False, None),
        (3, "mixed", 1, 0.0, 0.0, 0.0, 0, True, True, None),
        (3, "regression_common_topics", 1, 0.0, 0.0, 0.0, 0, True, True, 1),
        (3, "sampled", 1, 0.0, 0.0, 0.0, 0, True, True, None),
        (3, "unadjusted", 1, -0.2, 0.2, 0.04, 0, True, False, None),
        (3, "webber_park_topics", 1, 0.0, 0.0, 0.0, 0, True, True, None),
    ]


# There are N = 10 topics. For an error of x, a run needs N s^2 / (N x^2 + s^2) topics, rounded up.
DELTAS = {
    "dim_collections": Table(
        "collection_id, n_pooled_runs, pool_depth",
        *(("ours", 4, 10), ("unpooled", 0, 10), ("theirs", 1, 10)),
    ),
    "fct_topic_deltas": Table(
        "collection_id, run_id, level, measure, n_topics, delta_variance, ratio_variance, "
        "regression_variance",
        ("ours", "a", "run", "P@5", 10, 0.01, 0.0, 0.01),
        ("ours", "b", "run", "P@5", 10, 0.1, 0.05, 0.01),
        ("ours", "c", "run", "P@5", 10, 0.0, 0.0, 0.0),
        ("ours", "d", "run", "P@5", 1, None, None, None),
        ("ours", "e", "run", "P@5", 10, 0.05, 0.01, 0.0),
        ("ours", "a", "organization", "P@5", 10, 0.1, 0.1, 0.1),
        ("theirs", "a", "run", "P@5", 50, 9.0, 9.0, 9.0),
    ),
}


@pytest.mark.parametrize(
    ("standard_error", "of_organization", "by_ratio", "by_line", "by_deltas"),
    [
        # c and d need none. a: 0.1 / (0.1 + 0.01) = 0.91. e: 0.5 / (0.1 + 0.05) = 3.33. b: 1 / (0.1
        # + 0.1) = 5, and not one more. By ratio, b needs as many as e, and e as many as a. By a
        # line, a and b need one, which becomes three.
        (0.1, 5, (0, 4), (0, 3), (1, 5)),
        # a: 0.1 / (0.025 + 0.01) = 2.86. b: 1 / (0.025 + 0.1) = 8. e: 0.5 / (0.025 + 0.05) = 6.67.
        (0.05, 8, (0, 7), (0, 3), (3, 8)),
        # The square of this error is 0 as a float: runs whose topics differ need all topics.
        (1e-200, 10, (0, 10), (0, 10), (10, 10)),
    ],
)
def test_common_topics_needed(
    standard_error: float,
    of_organization: int,
    by_ratio: tuple[int, int],
    by_line: tuple[int, int],
    by_deltas: tuple[int, int],
) -> None:
    columns = (
        "level, estimator, n_topics, n_runs, n_for_half_of_the_runs, n_for_nine_in_ten, "
        "n_for_all_runs, collection_id, measure, standard_error = " + str(standard_error)
    )
    by_estimator = {
        "ratio_common_topics": by_ratio,
        "regression_common_topics": by_line,
        "webber_park_topics": by_deltas,
    }
    of_ours = ("ours", "P@5", True)
    assert call("common_topics_needed", DELTAS, "ours", standard_error, select=columns) == [
        *(
            ("organization", estimator, 10, 1, *[of_organization] * 3, *of_ours)
            for estimator in by_estimator
        ),
        *(
            ("run", estimator, 10, 5, of_half, of_most, of_most, *of_ours)
            for estimator, (of_half, of_most) in by_estimator.items()
        ),
    ]


@pytest.mark.parametrize(
    ("collection", "standard_error", "message"),
    [
        ("other", 0.1, "no collection is built with the name other"),
        (None, 0.1, "no collection is built with the name null"),
        ("ours", 0, "the standard error is 0, expected a number above 0"),
        ("ours", None, "the standard error is null, expected a number above 0"),
        ("ours", nan, "the standard error is nan, expected a number above 0"),
        ("unpooled", 0.1, "collection 'unpooled' has no pooled runs to infer from"),
    ],
)
def test_wrong_arguments_of_common_topics_needed(
    collection: str | None, standard_error: float | None, message: str
) -> None:
    with pytest.raises(duckdb.InvalidInputException, match=message):
        call("common_topics_needed", DELTAS, collection, standard_error)
