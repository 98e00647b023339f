"""Compare interpolated critical values with scipy's."""

import math
import random

import duckdb
import polars as pl
import pytest
from scipy import stats

from built_collections import only_many
from layout_models import give, make

ALPHA = 0.05
# The tolerance is of the quantile.
TOLERANCE = 1e-6

# Runs and degrees of freedom: at points of the seed, and at its limits.
EDGES = [
    *((n_runs, degrees) for n_runs in (2, 3, 12, 2_000) for degrees in (1, 2, 24, 100_000 - 1)),
    # just beyond the points at which the seed has every number
    *((n_runs, degrees) for n_runs in (13, 15, 17) for degrees in (25, 26, 30, 31)),
    # runs and degrees of freedom of TREC-8, TREC-2, round 1 of TREC-COVID, and of parts of them
    *((53, 2_548), (71, 3_430), (27, 1_249), (36, 1_690), (42, 1_189), (56, 1_595)),
]


def between(number: int, n: int) -> list[tuple[int, int]]:
    """Draw runs and degrees of freedom; all magnitudes are equally frequent."""
    drawn = random.Random(number)  # noqa: S311 - nothing is secret
    return [
        (
            round(math.exp(drawn.uniform(math.log(2), math.log(2_000)))),
            round(math.exp(drawn.uniform(0, math.log(99_999)))),
        )
        for _ in range(n)
    ]


Values = dict[tuple[int, int], tuple[float, float, float]]


@pytest.fixture(scope="module", params=only_many(300))
def interpolated(request: pytest.FixtureRequest) -> Values:
    """Return F, t and studentized range, by runs and degrees of freedom."""
    asked = sorted({*EDGES, *between(15, request.param)})
    given = pl.DataFrame(
        {
            "collection_key": 1,
            "layout_key": 1,
            "analysis": "one_way",
            "n_runs": [n_runs for n_runs, _ in asked],
            "n_topics": 1,
            "error_degrees_of_freedom": [degrees for _, degrees in asked],
        }
    )
    with duckdb.connect() as connection:
        give(connection, "int_layout_analyses", given)
        make(connection, ("critical_values", "int_critical_values"))
        found = connection.execute(
            """
            select
                n_runs, error_degrees_of_freedom,
                critical_f, critical_bonferroni_t, critical_studentized_range
            from intermediate.int_critical_values
            """
        ).fetchall()
    values: Values = {(row[0], row[1]): row[2:] for row in found}
    assert sorted(values) == asked
    return values


def test_f_is_scipys(interpolated: Values) -> None:
    for (n_runs, degrees), (f, _, _) in interpolated.items():
        expected = stats.f.isf(ALPHA, n_runs - 1, degrees)
        assert f == pytest.approx(expected, rel=TOLERANCE), (n_runs, degrees)


def test_bonferroni_t_is_scipys(interpolated: Values) -> None:
    for (n_runs, degrees), (_, t, _) in interpolated.items():
        expected = stats.t.isf(ALPHA / math.comb(n_runs, 2) / 2, degrees)
        assert t == pytest.approx(expected, rel=TOLERANCE), (n_runs, degrees)


def test_studentized_range_is_scipys(interpolated: Values) -> None:
    """The quantile of scipy lies within the tolerance; probabilities are quicker to compute."""
    for (n_runs, degrees), (_, _, value) in interpolated.items():
        less, more = value * (1 - TOLERANCE), value * (1 + TOLERANCE)
        chances = stats.studentized_range.sf([less, more], n_runs, degrees)
        assert chances[0] > ALPHA > chances[1], (n_runs, degrees)


def test_paired_tests_have_their_values() -> None:
    """The pairs are of two runs, for every number of common topics that a layout can have."""
    rows = pl.DataFrame(
        {
            "collection_key": [1, 1, 2],
            "layout_key": [1, 2, 1],
            "analysis": ["two_way", "one_way", "one_way"],
            "n_runs": [5, 4, 3],
            "n_topics": [400, 30, 2],
            "error_degrees_of_freedom": [1_596, 40, 3],
        }
    )
    with duckdb.connect() as connection:
        give(connection, "int_layout_analyses", rows)
        make(connection, ("critical_values", "int_critical_values"))
        found = connection.execute(
            """
            select collection_key, error_degrees_of_freedom, critical_bonferroni_t
            from intermediate.int_critical_values where n_runs = 2 order by all
            """
        ).fetchall()
    assert [row[:2] for row in found] == [*((1, each) for each in range(1, 400)), (2, 1)]
    for _, degrees, value in found:
        assert value == pytest.approx(stats.t.isf(ALPHA / 2, degrees), rel=TOLERANCE), degrees
