"""Table macros of samples of runs and topics, and of planning, on rows worked by hand."""

from math import nan

import duckdb
import pytest

from experiments_reference import lot
from macro_units import Table, call

COLLECTIONS = Table("collection_key, collection_id", (1, "ours"), (2, "theirs"))
JUDGED_TOPICS = Table("collection_key, topic_key", (1, 1), (1, 2), (2, 1), (2, 2), (2, 3))
OF_JUDGED_TOPICS = {"int_collections": COLLECTIONS, "int_judged_topics": JUDGED_TOPICS}


# Run a may not be in a pool, runs c and d may not be the unpooled one.
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
    # Both may be the unpooled one, and in some samples are.
    assert {run for _, run, role in rows if role == "unpooled"} == {1, 2}


def test_no_sampled_runs() -> None:
    assert call("sampled_runs", POPULATIONS, "ours", "automatic", 2, 1, 3, 7) == []
    assert call("sampled_runs", POPULATIONS, "other", "all", 2, 1, 3, 7) == []
    # One run alone has no pool.
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


def test_sampled_documents() -> None:
    """Down to 2, run 1 contributes D1 and D2, run 2 D3 and D4, run 3 D4 and D1."""
    rankings = {1: (1, 2, 3), 2: (3, 4, 1), 3: (4, 1, 5)}
    given = {
        "int_collections": COLLECTIONS,
        "int_judged_topics": JUDGED_TOPICS,
        "int_judgements": Table(
            "collection_key, topic_key, doc_key, is_relevant",
            *((1, 1, 3, True), (1, 1, 4, False), (1, 2, 1, True), (2, 1, 4, True)),
        ),
        "int_rankings": Table(
            "collection_key, run_key, topic_key, doc_key, rank",
            *(
                (1, run, 1, doc, rank)
                for run, docs in rankings.items()
                for rank, doc in enumerate(docs, 1)
            ),
            (1, 2, 9, 1, 1),  # a topic that is not judged
            (2, 4, 1, 7, 1),  # a run of another collection
        ),
    }
    samples = Table(
        "sample integer, run_key integer, role varchar",
        *((1, 1, "unpooled"), (1, 2, "pooled"), (1, 3, "pooled")),
        *((2, 2, "unpooled"), (2, 1, "pooled")),
    )
    columns = "sample, topic_key, doc_key, unpooled_rank, n_contributors, sole_rank, is_relevant"
    assert call("sampled_documents", given, "ours", samples, 2, select=columns) == [
        (1, 1, 1, 1, 1, 2, False),  # the place in the pooled run, not in the other
        (1, 1, 2, 2, 0, None, False),
        (1, 1, 3, 3, 1, 1, True),  # run 1 returns it below the depth
        (1, 1, 4, None, 2, None, False),
        (2, 1, 1, 3, 1, 1, False),
        (2, 1, 2, None, 1, 2, False),
        (2, 1, 3, 1, 0, None, True),
        (2, 1, 4, 2, 0, None, False),
    ]


DOCUMENTS = (
    "sample integer, topic_key integer, unpooled_rank integer, n_contributors integer, "
    "sole_rank integer, is_relevant boolean"
)


def test_sampled_losses() -> None:
    """Sample 1 loses ranks 1, 2 and 3, or 1 and 3: of two pooled runs, over two topics.

    RBP down to 5: 0.2 (1 + 0.8 + 0.64) / 4, and 0.2 (1 + 0.64) / 4.
    """
    documents = Table(
        DOCUMENTS,
        (1, 1, None, 1, 1, True),
        (1, 1, 5, 1, 2, True),  # the unpooled run returns it, down to the depth
        (1, 2, 6, 1, 3, True),  # and this one below it
        (1, 2, None, 2, None, True),  # both contribute it
        (1, 2, None, 1, 4, False),
        (2, 1, 1, 0, None, True),  # nothing is lost
    )
    columns = "sample, has_substitution, measure, mean_loss"
    rows = call("sampled_losses", OF_JUDGED_TOPICS, "ours", documents, 2, 5, select=columns)
    assert rows == [
        (1, False, "P@5", 0.15),
        (1, False, "RBP(p=0.8)@5", 0.122),
        (1, True, "P@5", 0.1),
        (1, True, "RBP(p=0.8)@5", 0.082),
        (2, False, "P@5", 0.0),
        (2, False, "RBP(p=0.8)@5", 0.0),
        (2, True, "P@5", 0.0),
        (2, True, "RBP(p=0.8)@5", 0.0),
    ]


def test_sampled_topic_scores() -> None:
    """Down to 2. Rank 1 is relevant and not judged; ranks 2 and 3 are judged, 3 is relevant."""
    documents = Table(
        DOCUMENTS,
        *((1, 1, 1, 0, None, True), (1, 1, 2, 1, 1, False), (1, 1, 3, 1, 2, True)),
        (1, 1, None, 2, None, True),
        # Of another sample, whose unpooled run returns nothing relevant.
        *((2, 1, 1, 1, 1, False), (2, 2, None, 1, 1, True)),
    )
    columns = "sample, topic_key, unjudged, measure, true_score, unpooled_score"
    rows = call("sampled_topic_scores", OF_JUDGED_TOPICS, "ours", documents, 2, select=columns)
    # Condensed, rank 3 becomes 2.
    assert [row for row in rows if any(row[4:])] == [
        (1, 1, "condensed", "P@2", 0.5, 0.5),
        (1, 1, "condensed", "RBP(p=0.8)@2", 0.2, 0.16),
        (1, 1, "nonrelevant", "P@2", 0.5, 0.0),
        (1, 1, "nonrelevant", "RBP(p=0.8)@2", 0.2, 0.0),
    ]
    # Two samples, two judged topics, two treatments, two measures.
    assert len({row[:4] for row in rows}) == len(rows) == 16


def test_sampled_estimates() -> None:
    given = {
        "sampled_topic_scores": Table(
            "sample integer, unjudged varchar, measure varchar, true_score double, "
            "unpooled_score double",
            *((1, "nonrelevant", "P@5", 0.6, 0.4), (1, "nonrelevant", "P@5", 0.2, 0.0)),
            (1, "condensed", "P@5", 0.4, 0.3),
            (2, "nonrelevant", "P@5", 0.8, 0.8),
        ),
        "sampled_losses": Table(
            "sample integer, has_substitution boolean, measure varchar, mean_loss double",
            *((1, True, "P@5", 0.1), (1, False, "P@5", 0.15), (1, True, "RBP", 0.9)),
            *((2, True, "P@5", 0.0), (2, False, "P@5", 0.0)),
        ),
    }
    rows = call("sampled_estimates", given, "ours", Table(DOCUMENTS), 2, 5)
    assert rows == [
        # What the pooled runs lose says nothing of condensed lists.
        (1, "condensed", "P@5", "unadjusted", 0.4, 0.3),
        (1, "nonrelevant", "P@5", "unadjusted", 0.4, 0.2),
        (1, "nonrelevant", "P@5", "webber_park_systems", 0.4, 0.3),
        (1, "nonrelevant", "P@5", "webber_park_systems_no_substitution", 0.4, 0.35),
        (2, "nonrelevant", "P@5", "unadjusted", 0.8, 0.8),
        (2, "nonrelevant", "P@5", "webber_park_systems", 0.8, 0.8),
        (2, "nonrelevant", "P@5", "webber_park_systems_no_substitution", 0.8, 0.8),
    ]


def test_sampled_topic_estimates() -> None:
    """Deltas 0.2, 0.4 and 0 on three topics; the means of u and t over them are 0.3 and 0.5.

    Of the first two the mean is 0.3: adjusted 0.6, mixed 0.3 + 0.3 * 2 / 3. Their variance is 0.02,
    the error sqrt((3 - 2) / 3 * 0.02 / 2) = sqrt(1 / 300); their true scores are alike.
    """
    scores = Table(
        "sample integer, topic_key integer, unjudged varchar, measure varchar, "
        "true_score double, unpooled_score double",
        (1, 1, "nonrelevant", "P@5", 0.6, 0.4),
        (1, 2, "nonrelevant", "P@5", 0.6, 0.2),
        (1, 3, "nonrelevant", "P@5", 0.3, 0.3),
        (2, 1, "nonrelevant", "P@5", 0.9, 0.9),
    )
    topics = Table(
        "sample integer, topic_sample integer, topic_key integer, place integer",
        *((1, 1, 1, 1), (1, 1, 2, 2), (1, 1, 3, 3)),
        *((1, 2, 1, 2), (1, 2, 2, 1), (1, 2, 3, 3)),
    )
    columns = (
        "topic_sample, n_common_topics, n_topics, true_score, unadjusted_score, mixed_score, "
        "sampled_score, adjusted_score, adjusted_standard_error, sampled_standard_error, "
        "[round(delta, 9) for delta in deltas], has_equal_deltas, has_smaller_adjusted_variance"
    )
    rows = call("sampled_topic_estimates", {}, scores, topics, [2, 1, 3, 4], select=columns)
    error = round((1 / 300) ** 0.5, 9)
    assert rows == [
        # One topic says nothing about others. There are no four.
        (1, 1, 3, 0.5, 0.3, round(0.3 + 0.2 / 3, 9), 0.6, 0.5, None, None, [0.2], True, None),
        (1, 2, 3, 0.5, 0.3, 0.5, 0.6, 0.6, error, 0.0, [0.2, 0.4], False, False),
        (1, 3, 3, 0.5, 0.3, 0.5, 0.5, 0.5, 0.0, 0.0, [0.2, 0.4, 0.0], False, False),
        (2, 1, 3, 0.5, 0.3, round(0.3 + 0.4 / 3, 9), 0.6, 0.7, None, None, [0.4], True, None),
        (2, 2, 3, 0.5, 0.3, 0.5, 0.6, 0.6, error, 0.0, [0.4, 0.2], False, False),
        (2, 3, 3, 0.5, 0.3, 0.5, 0.5, 0.5, 0.0, 0.0, [0.4, 0.2, 0.0], False, False),
    ]


def test_sampled_topic_errors() -> None:
    """The adjusted scores of two samples of topics are 0.1 above the true one, and 0.2 below."""
    given = {
        "sampled_topic_estimates": Table(
            "sample integer, unjudged varchar, measure varchar, n_topics integer, "
            "n_common_topics integer, has_smaller_adjusted_variance boolean, true_score double, "
            "unadjusted_score double, mixed_score double, sampled_score double, "
            "adjusted_score double",
            (1, "nonrelevant", "P@5", 3, 2, True, 0.5, 0.3, 0.5, 0.5000000000001, 0.6),
            (1, "nonrelevant", "P@5", 3, 2, False, 0.5, 0.3, 0.5, 0.5, 0.3),
            (1, "nonrelevant", "P@5", 3, 3, None, 0.5, 0.3, 0.5, 0.5, 0.5),
        )
    }
    columns = (
        "n_common_topics, estimator, n_topic_samples, mean_error, mean_absolute_error, "
        "mean_squared_error, n_smaller_adjusted_variance, mean_absolute_error = 0"
    )
    nothing = Table("sample integer")
    assert call("sampled_topic_errors", given, nothing, nothing, [2], select=columns) == [
        (2, "mixed", 2, 0.0, 0.0, 0.0, 1, True),
        (2, "sampled", 2, 0.0, 0.0, 0.0, 1, True),  # to 9 decimals
        (2, "unadjusted", 2, -0.2, 0.2, 0.04, 1, False),
        (2, "webber_park_topics", 2, -0.05, 0.15, 0.025, 1, False),
        (3, "mixed", 1, 0.0, 0.0, 0.0, 0, True),
        (3, "sampled", 1, 0.0, 0.0, 0.0, 0, True),
        (3, "unadjusted", 1, -0.2, 0.2, 0.04, 0, False),
        (3, "webber_park_topics", 1, 0.0, 0.0, 0.0, 0, True),
    ]


# N = 10 topics. For an error of x a run needs N s^2 / (N x^2 + s^2) of them, rounded up.
DELTAS = {
    "dim_collections": Table(
        "collection_id, n_pooled_runs", *(("ours", 4), ("unpooled", 0), ("theirs", 1))
    ),
    "fct_topic_deltas": Table(
        "collection_id, run_id, level, measure, n_topics, delta_variance",
        ("ours", "a", "run", "P@5", 10, 0.01),
        ("ours", "b", "run", "P@5", 10, 0.1),
        ("ours", "c", "run", "P@5", 10, 0.0),
        ("ours", "d", "run", "P@5", 1, None),
        ("ours", "e", "run", "P@5", 10, 0.05),
        ("ours", "a", "organization", "P@5", 10, 0.1),
        ("theirs", "a", "run", "P@5", 50, 9.0),
    ),
}


@pytest.mark.parametrize(
    ("standard_error", "of_half", "of_most"),
    [
        # c, d: none. a: 0.1 / (0.1 + 0.01) = 0.91. e: 0.5 / (0.1 + 0.05) = 3.33. b: 1 / (0.1 + 0.1)
        # = 5, and not one more.
        (0.1, 1, 5),
        # a: 0.1 / (0.025 + 0.01) = 2.86. b: 1 / (0.025 + 0.1) = 8.
        (0.05, 3, 8),
        # Its square is no number above 0: all topics, where they differ.
        (1e-200, 10, 10),
    ],
)
def test_common_topics_needed(standard_error: float, of_half: int, of_most: int) -> None:
    columns = (
        "level, n_topics, n_runs, n_for_half_of_the_runs, n_for_nine_in_ten, n_for_all_runs, "
        "collection_id, measure, standard_error = " + str(standard_error)
    )
    of_ours = ("ours", "P@5", True)
    assert call("common_topics_needed", DELTAS, "ours", standard_error, select=columns) == [
        ("organization", 10, 1, of_most, of_most, of_most, *of_ours),
        ("run", 10, 5, of_half, of_most, of_most, *of_ours),
    ]


@pytest.mark.parametrize(
    ("collection", "standard_error", "message"),
    [
        ("other", 0.1, "no collection is built that is called other"),
        (None, 0.1, "no collection is built that is called null"),
        ("ours", 0, "the standard error is 0, expected a number above 0"),
        ("ours", None, "the standard error is null, expected a number above 0"),
        ("ours", nan, "the standard error is nan, expected a number above 0"),
        ("unpooled", 0.1, "collection 'unpooled' has no pooled runs to plan by"),
    ],
)
def test_wrong_arguments_of_common_topics_needed(
    collection: str | None, standard_error: float | None, message: str
) -> None:
    with pytest.raises(duckdb.InvalidInputException, match=message):
        call("common_topics_needed", DELTAS, collection, standard_error)
