"""Compare layouts of runs by topics with statsmodels, numpy's least squares, and scipy's tests."""

import math
from typing import Any

import duckdb
import numpy as np
import pandas
import pytest
from scipy import stats

from conftest import OF_DEV
from layout_models import compare
from poolhouse.comparing.significance import tukey_p_values
from significance_reference import (
    ALPHA,
    Scores,
    different_by_paired_t,
    different_by_tukey,
    least_squares,
)

TOLERANCE = 1e-6
N_LAYOUTS = 60


def simulated(number: int) -> Scores:
    """Draw a layout: runs and topics of some number, and up to half of the cells missing.

    Every fourth layout has scores as coarse as P@5, with ties and with runs that are equal on all
    topics.
    """
    drawn = np.random.default_rng(number)
    n_runs, n_topics = int(drawn.integers(2, 14)), int(drawn.integers(2, 30))
    effects = 0.3 * drawn.random((n_runs, 1)) + 0.4 * drawn.random((1, n_topics))
    scores = np.clip(effects + 0.1 * drawn.standard_normal((n_runs, n_topics)), 0, 1)
    if number % 4 == 0:
        scores = np.round(5 * scores) / 5
        scores[-1] = scores[0]
    missing = drawn.random((n_runs, n_topics)) < drawn.choice([0, 0.1, 0.5])
    missing[np.arange(n_runs), drawn.integers(0, n_topics, n_runs)] = False  # each run has a topic
    missing[0] &= missing.any(axis=0) & ~missing.all(axis=0)
    return np.where(missing, math.nan, scores)


def unconnected() -> Scores:
    """Return a layout of two runs on two topics each, and two other runs on two other topics."""
    scores = np.full((4, 4), math.nan)
    scores[:2, :2] = [[0.9, 0.7], [0.4, 0.3]]
    scores[2:, 2:] = [[0.1, 0.3], [0.2, 0.6]]
    return scores


def constant() -> Scores:
    """Return a layout of three runs with one score everywhere: 0.1 is no binary fraction."""
    return np.full((3, 7), 0.1)


def shifted() -> Scores:
    """Return a layout with the same difference on every topic: no test can be more certain."""
    return np.array([[0.3, 0.6, 0.8, 0.1], [0.1, 0.4, 0.6, -0.1]])


LAYOUTS = {
    **{number: simulated(number) for number in range(N_LAYOUTS)},
    1000: unconnected(),
    1001: constant(),
    1002: shifted(),
    1003: np.array([[0.5, 0.2, 0.4]]),  # one run
    1004: np.array([[0.5], [0.2], [0.4]]),  # one topic
}


@pytest.fixture(scope="module")
def compared() -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    compare(connection, LAYOUTS)
    return connection


def rows(connection: duckdb.DuckDBPyConnection, query: str, layout: int) -> list[tuple[Any, ...]]:
    return connection.execute(query, [layout]).fetchall()


def differing(
    connection: duckdb.DuckDBPyConnection, test: str, layout: int
) -> list[tuple[Any, ...]]:
    """Return the pairs of runs, and whether the test tells them apart."""
    columns = f"run_key, other_run_key, is_different_by_{test}"
    where = "layout_key = ? and run_key < other_run_key"
    query = f"select {columns} from intermediate.int_layout_differences where {where}"
    return rows(connection, query, layout)


def analysis_of_variance(scores: Scores) -> pandas.DataFrame:
    """Analyse score = mean + run + topic by statsmodels, each factor after the other (type II)."""
    anova = pytest.importorskip("statsmodels.stats.anova", reason=OF_DEV)
    formula = pytest.importorskip("statsmodels.formula.api", reason=OF_DEV)
    run, topic = np.nonzero(~np.isnan(scores))
    cells = pandas.DataFrame({"score": scores[run, topic], "run": run, "topic": topic})
    table: pandas.DataFrame = anova.anova_lm(
        formula.ols("score ~ C(run) + C(topic)", cells).fit(), typ=2
    )
    return table


@pytest.mark.heavy
def test_layouts_are_of_every_kind() -> None:
    """There are full layouts and others, with and without a two-way analysis or differing pairs."""
    full = [not np.isnan(each).any() for each in LAYOUTS.values()]
    tukey = [different_by_tukey(each) for each in LAYOUTS.values()]
    assert 10 < sum(full) < len(LAYOUTS) - 20
    assert sum(each is None for each in tukey) >= 3
    assert sum(bool(each) for each in tukey) > 20
    assert sum(each == set() for each in tukey) > 5


@pytest.mark.heavy
@pytest.mark.parametrize("layout", LAYOUTS)
def test_two_way_analysis_is_least_squares(
    layout: int, compared: duckdb.DuckDBPyConnection
) -> None:
    fitted = least_squares(LAYOUTS[layout])
    analyses = rows(
        compared,
        """
        select error_mean_square, error_degrees_of_freedom, runs_mean_square, topics_mean_square
        from intermediate.int_layout_analyses where layout_key = ? and analysis = 'two_way'
        """,
        layout,
    )
    if fitted is None:
        assert analyses == []
        return
    effects, *_ = fitted
    [found] = analyses
    expected = analysis_of_variance(LAYOUTS[layout])
    mean_squares = expected["sum_sq"] / expected["df"]
    assert found == pytest.approx(
        (
            mean_squares["Residual"],
            expected["df"]["Residual"],
            mean_squares["C(run)"],
            mean_squares["C(topic)"],
        ),
        abs=TOLERANCE,
    )
    found_effects = np.array(
        rows(
            compared,
            """
            select run_effect from intermediate.int_layout_effects
            where layout_key = ? order by run_key
            """,
            layout,
        ),
        dtype=float,
    )[:, 0]
    assert found_effects - found_effects.mean() == pytest.approx(
        effects - effects.mean(), abs=TOLERANCE
    )


@pytest.mark.some(4)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_one_way_analysis_is_scipys(layout: int, compared: duckdb.DuckDBPyConnection) -> None:
    groups = [each[~np.isnan(each)] for each in LAYOUTS[layout]]
    found = rows(
        compared,
        """
        select runs_mean_square / error_mean_square, has_differences
        from intermediate.int_layout_tests where layout_key = ? and analysis = 'one_way'
        """,
        layout,
    )
    if len(groups) < 2 or sum(map(len, groups)) == len(groups):
        assert found == []
    elif layout == 1001:  # no pair differs, but for float noise
        assert found[0][1] is False
    else:
        expected = stats.f_oneway(*groups)
        assert found == [(pytest.approx(expected.statistic, rel=TOLERANCE), expected.pvalue < 0.05)]


@pytest.mark.some(4)
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("test", ["tukey", "paired_t"])
def test_runs_that_differ(test: str, layout: int, compared: duckdb.DuckDBPyConnection) -> None:
    scores = LAYOUTS[layout]
    by_test = {"tukey": different_by_tukey, "paired_t": different_by_paired_t}
    expected = by_test[test](scores)
    found = differing(compared, test, layout)
    assert len(found) == math.comb(len(scores), 2)
    tested = [each for each in found if each[2] is not None]
    assert (expected is None) == (tested == [])
    assert {(run, other) for run, other, differs in tested if differs} == (expected or set())


@pytest.mark.some(4)
@pytest.mark.parametrize("layout", [each for each in LAYOUTS if not np.isnan(LAYOUTS[each]).any()])
def test_p_values_decide_as_the_layout(layout: int, compared: duckdb.DuckDBPyConnection) -> None:
    """Without missing cells, Tukey's p-value is below .05 where the models say that runs differ."""
    found = differing(compared, "tukey", layout)
    p_values = tukey_p_values(LAYOUTS[layout], [(run, other) for run, other, _ in found])
    for (_, _, differs), p in zip(found, p_values, strict=True):
        if p is not None:
            assert (p < ALPHA) == differs
        else:  # one topic, or no error: runs that differ by the same amount on every topic
            assert layout in (1001, 1002, 1004)
