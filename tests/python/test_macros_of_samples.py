"""Test which runs a sample has, and how many common topics are needed, on rows worked by hand.

The other macros of experiments are compared with their reference in test_experiments.py.
"""

import duckdb
import pytest

from experiments_reference import lot
from macro_units import Table, call

COLLECTIONS = Table("collection_key, collection_id", (1, "ours"), (2, "theirs"))

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
