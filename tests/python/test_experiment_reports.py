"""Test the reports of experiments: each figure is a mean, by hand, over the rows behind it."""

from collections.abc import Callable, Iterable
from itertools import product
from math import log, sqrt
from pathlib import Path
from shutil import copyfile
from statistics import fmean, linear_regression, quantiles, stdev
from typing import Any

import pytest

from experiments_done import DEPTH, N_SAMPLES, SEED, WIDTHS, Done, Row, assert_same
from poolhouse.experiments.requests import ExperimentSettings
from poolhouse.experiments.running import run_experiment
from poolhouse.warehouse.file import Warehouse
from questions import question

pytestmark = pytest.mark.heavy

Values = dict[Row, list[Row]]

COLUMNS = "population, width, unjudged, measure"
COMMON = f"{COLUMNS}, n_common_topics"


def grouped(rows: Iterable[Row], n_key: int) -> Values:
    groups: Values = {}
    for row in rows:
        groups.setdefault(row[:n_key], []).append(row[n_key:])
    return groups


def assert_report(
    done: Done, asked: tuple[str, str, str], groups: Values, of: Callable[..., Row]
) -> None:
    """Compare a question with what a function makes of the columns of the rows behind it."""
    name, key, columns = asked
    found = done.keyed(question(f"webber_park_{name}"), key, columns)
    assert_same(found, {each: of(*zip(*rows, strict=True)) for each, rows in groups.items()})


def error_of_mean(values: Iterable[float]) -> float:
    return stdev(values) / sqrt(N_SAMPLES)


def test_what_was_run(experiments_done: Done) -> None:
    found = experiments_done.keyed(
        "experiments.dim_experiments",
        "experiment",
        "n_samples, n_topic_samples, seed, depth, widths, common_topic_counts, is_current",
    )
    asked = (SEED, DEPTH, list(WIDTHS))
    assert found == {
        ("bias",): (N_SAMPLES, None, *asked, None, True),
        ("systems",): (N_SAMPLES, None, *asked, None, True),
        ("topics",): (N_SAMPLES, 6, *asked, [2, 5, 9, 30], True),
        ("intervals",): (N_SAMPLES, 1, *asked, [2, 5, 9, 30], True),
    }


def test_figure_1(experiments_done: Done) -> None:
    """Figure 1 shows the bias of a run that is not pooled, by width."""
    errors = experiments_done.rows(
        f"select {COLUMNS}, error from experiments.fct_experiment_estimates"
        " where experiment = 'bias'"
    )

    def summary(errors: Row) -> Row:
        lower, middle, upper = quantiles(errors, n=4, method="inclusive")
        return N_SAMPLES, fmean(errors), lower, middle, upper

    columns = "n_samples, mean_bias, lower_quartile, median_bias, upper_quartile"
    assert_report(experiments_done, ("figure_1", COLUMNS, columns), grouped(errors, 4), summary)


def test_bias_beside_that_at_half_the_width(experiments_done: Done) -> None:
    found = experiments_done.keyed(
        question("webber_park_figure_1"),
        "population, unjudged, measure, width",
        "mean_bias, ratio_to_half_width",
    )
    for (*of, width), (bias, ratio) in found.items():
        if width == min(WIDTHS):
            assert ratio is None
        else:
            narrower, _ = found[*of, width // 2]
            assert ratio * narrower == pytest.approx(bias)


def test_table_1(experiments_done: Done) -> None:
    """Table 1 shows the errors of inference from systems."""
    key = f"{COLUMNS}, estimator"
    errors = experiments_done.rows(
        f"select {key}, abs(error), error from experiments.fct_experiment_estimates"
        " where experiment = 'systems'"
    )
    assert {key[2] for key in grouped(errors, 5)} == {"nonrelevant", "condensed"}
    assert_report(
        experiments_done,
        ("table_1", key, "n_samples, mae, mae_standard_error, mean_error, standard_error"),
        grouped(errors, 5),
        lambda *both: (N_SAMPLES, *(of(each) for each in both for of in (fmean, error_of_mean))),
    )


def test_substitution(experiments_done: Done) -> None:
    """The report shows how much the estimate grows where the new run takes no run's place."""
    estimates = experiments_done.keyed(
        "experiments.fct_experiment_estimates where experiment = 'systems'",
        "estimator, population, width, unjudged, measure, sample",
        "estimate",
    )
    differences = [
        (*key[:4], estimate - estimates["webber_park_systems", *key][0])
        for (estimator, *key), (estimate,) in estimates.items()
        if estimator == "webber_park_systems_no_substitution"
    ]
    assert_report(
        experiments_done,
        ("substitute", COLUMNS, "n_samples, mean_difference, standard_error"),
        grouped(differences, 4),
        lambda grown: (N_SAMPLES, fmean(grown), error_of_mean(grown)),
    )


def test_errors_by_common_topics(experiments_done: Done) -> None:
    key = f"{COMMON}, estimator"
    errors = experiments_done.rows(
        f"""
        select {key}, mean_absolute_error, mean_error, mean_squared_error,
            n_smaller_adjusted_variance / n_topic_samples,
            cast(has_smaller_variance_over_all_topics as integer), n_fallback / n_topic_samples
        from experiments.fct_experiment_topic_errors
        """
    )

    def summary(*columns: Row) -> Row:
        mae, mean, squared, smaller, over_all, fell = columns
        of_errors = N_SAMPLES, fmean(mae), error_of_mean(mae), fmean(mean), sqrt(fmean(squared))
        share_fallback = None if fell[0] is None else fmean(fell)
        return *of_errors, fmean(smaller), fmean(over_all), error_of_mean(mean), share_fallback

    columns = (
        "n_samples, mae, mae_standard_error, mean_error, rmse, "
        "share_smaller_variance_on_common_topics, share_smaller_variance_over_all_topics, "
        "mean_error_standard_error, share_fallback"
    )
    assert_report(experiments_done, ("errors", key, columns), grouped(errors, 6), summary)


@pytest.mark.parametrize(
    ("table", "population", "unjudged"),
    [(2, "random", "nonrelevant"), (3, "random", "condensed"), (4, "manual", "nonrelevant")],
)
def test_tables_2_to_4(table: int, population: str, unjudged: str, experiments_done: Done) -> None:
    columns = "width, measure, n_common_topics, estimator, n_samples, mae, mae_standard_error"
    tables = question("webber_park_tables_2_4")
    found = experiments_done.rows(f"select {columns} from {tables} where table_number = {table}")
    expected = experiments_done.rows(
        f"""
        select {columns} from {question("webber_park_errors")}
        where population = '{population}' and unjudged = '{unjudged}'
            and estimator in ('unadjusted', 'mixed', 'sampled', 'webber_park_topics')
        """
    )
    assert sorted(found) == sorted(expected)
    assert len(found) == len(WIDTHS) * 2 * 3 * 4


def test_decline_of_the_error(experiments_done: Done) -> None:
    """The error falls with the number of common topics; where all are common, there is none."""
    errors = experiments_done.keyed(
        f"{question('webber_park_errors')} where n_common_topics < n_topics",
        f"{COMMON}, estimator",
        "mae",
    )
    n_topics = 9
    expected: Values = {}
    for key in {key[:4] for key in errors}:
        mae = {
            (n, estimator): errors[*key, n, estimator][0]
            for n in (2, 5)
            for estimator in ("webber_park_topics", "mixed", "unadjusted")
        }
        factors = {n: (n_topics - n) / (n * n_topics) for n in (2, 5)}
        slope = linear_regression(
            [log(factors[n]) for n in (2, 5)], [log(mae[n, "webber_park_topics"]) for n in (2, 5)]
        ).slope
        mixed = linear_regression(
            [(n_topics - n) / n_topics for n in (2, 5)],
            [mae[n, "mixed"] / mae[n, "unadjusted"] for n in (2, 5)],
            proportional=True,
        ).slope
        expected[key] = [(2, slope, mixed)]
    assert_report(
        experiments_done,
        ("decline", COLUMNS, "n_sizes, adjusted_slope, mixed_slope"),
        expected,
        lambda *columns: tuple(only for (only,) in columns),
    )


def test_coverage(experiments_done: Done) -> None:
    key = f"{COMMON}, estimator, method, confidence"
    intervals = experiments_done.rows(
        f"""
        select {key}, holds_true_score, has_no_width, upper_bound - lower_bound
        from experiments.fct_experiment_intervals
        """
    )
    columns = "n_samples, coverage, share_without_width, mean_width"
    assert_report(
        experiments_done,
        ("intervals", key, columns),
        grouped(intervals, 8),
        lambda *shares: (N_SAMPLES, *map(fmean, shares)),
    )
    of_topics = ("webber_park_topics", "ratio_common_topics", "regression_common_topics")
    assert {(row[5], row[6]) for row in intervals} == {
        ("webber_park_topics", "bootstrap"),
        *product(of_topics, ("normal", "t")),
    }


@pytest.fixture
def without_errors(experiments_once: Warehouse, tmp_path: Path) -> Done:
    """Run experiments on three equal runs."""
    warehouse = Warehouse(Path(copyfile(experiments_once.path, tmp_path / "poolhouse.duckdb")))
    given: dict[str, Any] = {"n_samples": 2, "depth": 2, "widths": (2,)}
    for settings in (
        ExperimentSettings("bias", **given),
        ExperimentSettings("topics", n_topic_samples=2, common_topic_counts=(2, 3), **given),
    ):
        run_experiment(warehouse, "three-runs", settings)
    return Done(warehouse)


def test_where_nothing_is_off_nothing_is_fitted(without_errors: Done) -> None:
    """There is no logarithm of 0, and no share of 0."""
    slopes = f"select adjusted_slope, mixed_slope from {question('webber_park_decline')}"
    assert without_errors.rows(slopes) == [(None, None)] * 4
    assert without_errors.rows(
        f"select distinct mae, rmse, mean_error from {question('webber_park_errors')}"
    ) == [(0.0, 0.0, 0.0)]
    assert without_errors.rows(
        f"select distinct mean_bias, ratio_to_half_width from {question('webber_park_figure_1')}"
    ) == [(0.0, None)]
