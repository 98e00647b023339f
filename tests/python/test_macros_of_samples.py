"""Test how many common topics are needed, on rows worked by hand.

Samples are in test_experiment_samples.py, and what experiments compute in test_experiments.py.
"""

import duckdb
import pytest

from macro_units import Table, call

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


def test_without_pooled_runs_there_is_nothing_to_infer_from() -> None:
    problem = "collection 'unpooled' has no pooled runs to infer from"
    with pytest.raises(duckdb.InvalidInputException, match=problem):
        call("common_topics_needed", DELTAS, "unpooled", 0.1)
