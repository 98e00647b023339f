"""Test the experiments' figures on two collections of a page, which are worked out by hand.

The documents d1, d3 and d4 are relevant, d2 is not relevant, and d5 is not in the qrels. Pools have
depth 2. At ranks 1 and 2, P@2 has the weights 0.5 and 0.5, and RBP@2 has 0.2 and 0.16.
"""

from collections.abc import Iterator
from math import sqrt

import duckdb
import pytest

from poolhouse.experiments.parts import prepare
from poolhouse.warehouse.file import Warehouse

pytestmark = pytest.mark.heavy

P = "P@2"
RBP = "RBP(p=0.8)@2"

# One topic:            rank 1  2  3  4  5
#     new                   d3 d1 d5 d2 d4
#     old1                  d1 d2
#     old2                  d2 d4
# The first sample has new as the unpooled run, and a pool of the old runs, which judges d1, d2 and
# d4. The second sample has old1, and a pool of new and old2, which judges all but d5.
ONE_TOPIC = {1: {"new": "unpooled", "old1": "pooled", "old2": "pooled"}}
ONE_TOPIC |= {2: {"old1": "unpooled", "new": "pooled", "old2": "pooled"}}

# This collection has four topics, and the first of these samples. In each topic, the old runs are
# the same as above.
#                     topic 1       2     3         4
#     new                 d1 d3 d4  none  d3 d2 d1  d1 d5 d4
#     P@2, true           1         0     0.5       0.5        mean 0.5
#     P@2, d3 unjudged    0.5       0     0         0.5        mean 0.25
#     less than true by   0.5       0     0.5       0
#     P@2, condensed      1         0     0.5       1          mean 0.625
#         made from       d1 d4           d2 d1     d1 d4
FOUR_TOPICS = {1: ONE_TOPIC[1]}

# Common topics, drawn by hand: a sample of n topics has the first n of these.
TOPIC_SAMPLES = {1: "1234", 2: "3124", 3: "2413"}


@pytest.fixture
def connection(experiments_once: Warehouse) -> Iterator[duckdb.DuckDBPyConnection]:
    with experiments_once.read() as connection:
        yield connection


def draw(
    connection: duckdb.DuckDBPyConnection, collection: str, samples: dict[int, dict[str, str]]
) -> None:
    """Make a table `drawn` with these samples, for pools to depth 2."""
    prepare(connection, collection, 2)
    keys = dict(
        connection.execute(
            """
            select run_id, run_key from intermediate.int_runs
            inner join intermediate.int_collections using (collection_key)
            where collection_id = ?
            """,
            [collection],
        ).fetchall()
    )
    connection.execute("create temp table drawn (sample integer, run_key integer, role varchar)")
    for sample, roles in samples.items():
        for run, role in roles.items():
            connection.execute("insert into drawn values (?, ?, ?)", [sample, keys[run], role])


def test_estimates_from_systems(connection: duckdb.DuckDBPyConnection) -> None:
    draw(connection, "one-topic", ONE_TOPIC)
    found = connection.execute(
        """
        select sample, unjudged, measure, estimator, true_score, estimate
        from sampled_estimates('one-topic', 'drawn', 'rankings', 2)
        """
    ).fetchall()
    with_, without = "webber_park_systems", "webber_park_systems_no_substitution"
    assert len(found) == 2 * 2 * (2 * 3 + 1)
    assert {
        tuple(key): scores for *key, true, estimate in found for scores in [(true, estimate)]
    } == {
        # Of d1 and d2, which two runs contributed, d1 is relevant: the priors are 1/2. Only d1 of
        # the new run is judged: its precisions are (1 + 5) / 11 and (1 + 60 / 11) / 11, with the
        # product 0.32. The examples are d1 of old1, with the product 1/2 * 1/2, and d4 of old2,
        # with 5/11 * 50/121. Both are relevant, and nobody else returns them, nor d3. The factor is
        # 2 / 0.438: the probability of d3 is 1.
        (1, "nonrelevant", P, "expected_relevance"): pytest.approx((1, 0.5 + 0.5)),
        (1, "nonrelevant", RBP, "expected_relevance"): pytest.approx((0.36, 0.16 + 0.2)),
        # All documents of old1 are judged.
        (2, "nonrelevant", P, "expected_relevance"): pytest.approx((0.5, 0.5)),
        (2, "nonrelevant", RBP, "expected_relevance"): pytest.approx((0.2, 0.2)),
        # The new run has d3 and d1 first, both relevant; the pool does not know d3.
        (1, "nonrelevant", P, "unadjusted"): pytest.approx((1, 0.5)),
        (1, "nonrelevant", P, with_): pytest.approx((1, 0.5 + 0.25)),
        (1, "nonrelevant", P, without): pytest.approx((1, 0.5 + 0.5)),
        (1, "nonrelevant", RBP, "unadjusted"): pytest.approx((0.36, 0.16)),
        (1, "nonrelevant", RBP, with_): pytest.approx((0.36, 0.16 + 0.08)),
        (1, "nonrelevant", RBP, without): pytest.approx((0.36, 0.16 + 0.18)),
        # Without d3 and d5, the ranking is d1, d2, d4.
        (1, "condensed", P, "unadjusted"): pytest.approx((1, 0.5)),
        (1, "condensed", RBP, "unadjusted"): pytest.approx((0.36, 0.2)),
        # Condensed or not, old1 loses d1 unless the new run keeps it, and old2 loses d4: both keep
        # d2.
        (1, "condensed", P, with_): pytest.approx((1, 0.5 + 0.25)),
        (1, "condensed", P, without): pytest.approx((1, 0.5 + 0.5)),
        (1, "condensed", RBP, with_): pytest.approx((0.36, 0.2 + 0.08)),
        (1, "condensed", RBP, without): pytest.approx((0.36, 0.2 + 0.18)),
        # All documents of old1 are judged; estimates are not limited to 1.
        (2, "nonrelevant", P, "unadjusted"): pytest.approx((0.5, 0.5)),
        (2, "nonrelevant", P, with_): pytest.approx((0.5, 0.5 + 0.5)),
        (2, "nonrelevant", P, without): pytest.approx((0.5, 0.5 + 0.75)),
        (2, "nonrelevant", RBP, "unadjusted"): pytest.approx((0.2, 0.2)),
        (2, "nonrelevant", RBP, with_): pytest.approx((0.2, 0.2 + 0.18)),
        (2, "nonrelevant", RBP, without): pytest.approx((0.2, 0.2 + 0.26)),
        (2, "condensed", P, "unadjusted"): pytest.approx((0.5, 0.5)),
        (2, "condensed", RBP, "unadjusted"): pytest.approx((0.2, 0.2)),
        # The new run had 1 and 0.36. With old1 in its place, it keeps d1 and d2, otherwise d2 and
        # d4. Old2 had 0.5 and 0.16; it keeps d2, or no document.
        (2, "condensed", P, with_): pytest.approx((0.5, 0.5 + (0.5 + 0.5) / 2)),
        (2, "condensed", P, without): pytest.approx((0.5, 0.5 + (0.5 + 0.5) / 2)),
        (2, "condensed", RBP, with_): pytest.approx((0.2, 0.2 + (0.16 + 0.16) / 2)),
        (2, "condensed", RBP, without): pytest.approx((0.2, 0.2 + (0.2 + 0.16) / 2)),
    }


def score_topics(connection: duckdb.DuckDBPyConnection) -> None:
    """Score the four topics, and draw common topics: tables `topic_scores` and `topics`."""
    draw(connection, "four-topics", FOUR_TOPICS)
    connection.execute(
        """
        create temp table topic_scores as
        from sampled_topic_scores('four-topics', 'drawn', 'rankings', 2)
        """
    )
    keys = topic_keys(connection)
    connection.execute(
        "create temp table topics "
        "(sample integer, topic_sample integer, topic_key integer, place integer)"
    )
    for topic_sample, order in TOPIC_SAMPLES.items():
        for place, topic in enumerate(order, start=1):
            connection.execute(
                "insert into topics values (1, ?, ?, ?)", [topic_sample, keys[topic], place]
            )


def topic_keys(connection: duckdb.DuckDBPyConnection) -> dict[str, int]:
    return dict(
        connection.execute(
            """
            select topic_id, topic_key from intermediate.int_topics
            inner join intermediate.int_collections using (collection_key)
            where collection_id = 'four-topics'
            """
        ).fetchall()
    )


def test_scores_of_topics(connection: duckdb.DuckDBPyConnection) -> None:
    score_topics(connection)
    topics = {key: topic for topic, key in topic_keys(connection).items()}
    rows = connection.execute(
        "select unjudged, measure, topic_key, true_score, unpooled_score from topic_scores"
    ).fetchall()
    found: dict[tuple[str, str], dict[str, tuple[float, float]]] = {}
    for unjudged, measure, topic_key, *scores in rows:
        found.setdefault((unjudged, measure), {})[topics[topic_key]] = tuple(scores)
    # True and unpooled scores, by topic.
    assert found == {
        key: {topic: pytest.approx(scores) for topic, scores in by_topic.items()}
        for key, by_topic in {
            ("nonrelevant", P): {"1": (1, 0.5), "2": (0, 0), "3": (0.5, 0), "4": (0.5, 0.5)},
            ("nonrelevant", RBP): {"1": (0.36, 0.2), "2": (0, 0), "3": (0.2, 0), "4": (0.2, 0.2)},
            ("condensed", P): {"1": (1, 1), "2": (0, 0), "3": (0.5, 0.5), "4": (0.5, 1)},
            # A document that moves up gets the weight of its new rank.
            ("condensed", RBP): {
                "1": (0.36, 0.36),
                "2": (0, 0),
                "3": (0.2, 0.16),
                "4": (0.2, 0.36),
            },
        }.items()
    }


# Estimates of P@2 by sample of topics and number of common topics, with unjudged documents as not
# relevant. The values are the adjustment, the mixed, sampled and adjusted scores, the variances of
# delta and true score (divisor n - 1), and the standard errors of the sampled and the adjusted
# score: the root of (4 - n) / 4 * variance / n. An error of 0 is null, because equal topics say
# nothing about the others.
ESTIMATES = {
    # Topics 1 and 2 have the deltas 0.5 and 0, and the true scores 1 and 0.
    (1, 2): (0.25, (1 + 0 + 0 + 0.5) / 4, 0.5, 0.5, 0.125, 0.5, sqrt(0.125), sqrt(0.03125)),
    # With topic 3, the deltas are 0.5, 0 and 0.5, and the true scores 1, 0 and 0.5.
    (1, 3): (1 / 3, 2 / 4, 0.5, 0.25 + 1 / 3, 1 / 12, 0.25, sqrt(1 / 48), 1 / 12),
    # With all topics, all estimates equal the true score, without any error.
    (1, 4): (0.25, 0.5, 0.5, 0.5, 1 / 12, 1 / 6, None, None),
    # Topics 3 and 1 have equal deltas of 0.5.
    (2, 2): (0.5, 0.5, 0.75, 0.75, 0, 0.125, sqrt(0.03125), None),
    (2, 3): (1 / 3, 0.5, 0.5, 0.25 + 1 / 3, 1 / 12, 0.25, sqrt(1 / 48), 1 / 12),
    (2, 4): (0.25, 0.5, 0.5, 0.5, 1 / 12, 1 / 6, None, None),
    # Topics 2 and 4 have equal deltas of 0, so that nothing is adjusted.
    (3, 2): (0, 0.25, 0.25, 0.25, 0, 0.125, sqrt(0.03125), None),
    # With topic 1, the deltas are 0, 0 and 0.5, and the true scores 0, 0.5 and 1.
    (3, 3): (1 / 6, 0.375, 0.5, 0.25 + 1 / 6, 1 / 12, 0.25, sqrt(1 / 48), 1 / 12),
    (3, 4): (0.25, 0.5, 0.5, 0.5, 1 / 12, 1 / 6, None, None),
}


def test_estimates_from_topics(connection: duckdb.DuckDBPyConnection) -> None:
    score_topics(connection)
    rows = connection.execute(
        """
        select
            topic_sample, n_common_topics, adjustment, mixed_score, sampled_score, adjusted_score,
            delta_variance, true_variance, sampled_standard_error, adjusted_standard_error
        from sampled_topic_estimates('topic_scores', 'topics', [2, 3, 4, 5])
        where unjudged = 'nonrelevant' and measure = 'P@2'
            and n_topics = 4 and true_score = 0.5 and unadjusted_score = 0.25
        """
    ).fetchall()
    # There are no five common topics.
    assert len(rows) == len(ESTIMATES)
    found = {tuple(row[:2]): tuple(row[2:]) for row in rows}
    assert found == {key: pytest.approx(values) for key, values in ESTIMATES.items()}


def test_flags_of_estimates_from_topics(connection: duckdb.DuckDBPyConnection) -> None:
    score_topics(connection)
    rows = connection.execute(
        """
        select
            topic_sample, has_equal_deltas, has_smaller_adjusted_variance,
            is_adjustment_beyond_its_error, has_smaller_variance_over_all_topics
        from sampled_topic_estimates('topic_scores', 'topics', [2])
        where unjudged = 'nonrelevant' and measure = 'P@2'
        order by all
        """
    ).fetchall()
    assert rows == [
        (1, False, True, True, True),  # 0.177 < 0.25; over all topics 1 / 12 < 1 / 6
        (2, True, True, True, True),  # 0 < 0.5
        (3, True, True, False, True),  # 0 < 0 does not hold
    ]


def test_estimates_from_topics_by_condensed_lists(connection: duckdb.DuckDBPyConnection) -> None:
    """The condensed run scores more than it should: 0.625, with deltas 0, 0, 0 and -0.5."""
    score_topics(connection)
    rows = connection.execute(
        """
        select
            topic_sample, unadjusted_score, adjustment, mixed_score, sampled_score, adjusted_score,
            true_score, delta_variance
        from sampled_topic_estimates('topic_scores', 'topics', [2])
        where unjudged = 'condensed' and measure = 'P@2'
        order by all
        """
    ).fetchall()
    assert rows == [
        pytest.approx(expected)
        for expected in [
            (1, 0.625, 0, 0.625, 0.5, 0.625, 0.5, 0),
            (2, 0.625, 0, 0.625, 0.75, 0.625, 0.5, 0),
            (3, 0.625, -0.25, 0.5, 0.25, 0.375, 0.5, 0.125),
        ]
    ]


def test_errors_over_samples_of_topics(connection: duckdb.DuckDBPyConnection) -> None:
    score_topics(connection)
    connection.execute(
        """
        create temp table topic_estimates as
        from sampled_topic_estimates('topic_scores', 'topics', [2])
        """
    )
    rows = connection.execute(
        """
        select
            estimator, n_topic_samples, n_smaller_adjusted_variance, mean_error,
            mean_absolute_error, mean_squared_error
        from sampled_topic_errors('topic_estimates')
        where unjudged = 'nonrelevant' and measure = 'P@2'
        """
    ).fetchall()
    # These errors are the estimates above with two common topics, minus 0.5. Residuals are 0.5, 0,
    # 0.5, 0.5 (d5 is unjudged, too), and 0.375 in the mean. On topics 1 and 2, and on 3 and 1, all
    # of it is gained, so that the ratio's estimate is 0.625. On 2 and 4, nothing is gained, and the
    # estimate is 0.25. Two topics have no line.
    assert {estimator: tuple(values) for estimator, *values in rows} == {
        "unadjusted": pytest.approx((3, 3, -0.25, 0.25, 0.0625)),
        "mixed": pytest.approx((3, 3, -0.125, 0.125, (0.125**2 + 0 + 0.25**2) / 3)),
        "sampled": pytest.approx((3, 3, 0, 0.5 / 3, (0 + 0.25**2 + 0.25**2) / 3)),
        "webber_park_topics": pytest.approx((3, 3, 0, 0.5 / 3, (0 + 0.25**2 + 0.25**2) / 3)),
        "ratio_common_topics": pytest.approx((3, 3, 0, 0.5 / 3, (2 * 0.125**2 + 0.25**2) / 3)),
    }
