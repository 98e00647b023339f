"""Compare the bootstrap's bounds with scipy's, row by row, and with bounds that need no draws."""

from math import sqrt

import numpy as np
import numpy.typing as npt
import pytest
import scipy

from poolhouse.scoring.estimating.bootstrap import RESAMPLES, bootstrap_bounds

N_TOPICS = 50
SEED = 4


def rows_of_deltas(n_rows: int, n_common: int) -> npt.NDArray[np.float64]:
    return np.random.default_rng(0).gamma(0.5, 0.1, (n_rows, n_common))


@pytest.mark.parametrize("confidence", [0.68, 0.95])
def test_one_row_is_as_scipy_has_it_drawn_in(confidence: float) -> None:
    [deltas] = rows_of_deltas(1, 10)
    interval = scipy.stats.bootstrap(
        (deltas,),
        np.mean,
        n_resamples=RESAMPLES,
        confidence_level=confidence,
        method="percentile",
        rng=np.random.default_rng(SEED),
    ).confidence_interval
    drawn_in = sqrt((N_TOPICS - 10) / N_TOPICS)
    middle = deltas.mean()
    bounds = bootstrap_bounds(deltas[np.newaxis], N_TOPICS, [0.68, 0.95], SEED)
    assert bounds.keys() == {0.68, 0.95}
    [lower], [upper] = bounds[confidence]
    assert lower == pytest.approx(middle - drawn_in * (middle - interval.low), abs=1e-12)
    assert upper == pytest.approx(middle + drawn_in * (interval.high - middle), abs=1e-12)
    assert lower < middle < upper


def test_bounds_are_near_the_normal_ones_for_many_topics() -> None:
    """The sample has 400 of a million topics; the tolerance is the error of 1,000 resamples."""
    deltas = rows_of_deltas(3, 400)
    standard_errors = deltas.std(axis=1, ddof=1) / sqrt(400)
    for confidence, (lower, upper) in bootstrap_bounds(deltas, 10**6, [0.68, 0.95], SEED).items():
        reach = scipy.stats.norm.ppf((1 + confidence) / 2) * standard_errors
        assert lower == pytest.approx(deltas.mean(axis=1) - reach, abs=0.25 * reach.max())
        assert upper == pytest.approx(deltas.mean(axis=1) + reach, abs=0.25 * reach.max())


def test_known_topics_leave_nothing_open() -> None:
    deltas = rows_of_deltas(4, 7)
    [(lower, upper)] = bootstrap_bounds(deltas, 7, [0.95], SEED).values()
    assert lower == pytest.approx(deltas.mean(axis=1), abs=1e-15)
    assert upper == pytest.approx(deltas.mean(axis=1), abs=1e-15)


def test_equal_deltas_give_a_point() -> None:
    [(lower, upper)] = bootstrap_bounds(np.full((2, 5), 0.1), N_TOPICS, [0.95], SEED).values()
    assert lower == pytest.approx([0.1, 0.1])
    assert upper == pytest.approx([0.1, 0.1])


def test_a_row_has_the_same_bounds_beside_any_rows() -> None:
    """Parts of an experiment do not show in its results."""
    deltas = rows_of_deltas(5, 6)
    [(lower, upper)] = bootstrap_bounds(deltas, N_TOPICS, [0.95], SEED).values()
    [(lower_of_some, upper_of_some)] = bootstrap_bounds(deltas[3:], N_TOPICS, [0.95], SEED).values()
    assert lower_of_some == pytest.approx(lower[3:], abs=1e-12)
    assert upper_of_some == pytest.approx(upper[3:], abs=1e-12)


def test_the_same_seed_gives_the_same_bounds() -> None:
    deltas = rows_of_deltas(5, 6)
    [(first, _)], [(again, _)], [(other, _)] = (
        bootstrap_bounds(deltas, N_TOPICS, [0.95], seed).values() for seed in (SEED, SEED, SEED + 1)
    )
    assert (first == again).all()
    assert (first != other).any()
