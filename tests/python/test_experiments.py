"""The experiments' results against the reference: a random collection, every row, every value."""

from collections.abc import Iterator
from pathlib import Path
from shutil import copyfile
from statistics import fmean
from typing import Any

import pytest

from experiment_collections import random_collection
from experiments_reference import MEASURES, TREATMENTS, ExperimentsReference, Sample, TopicEstimate
from poolhouse.experiments import EXPERIMENTS, run_experiment, settings_of
from poolhouse.warehouse import Warehouse

DEPTH = 4
WIDTHS = (2, 4)
N_SAMPLES = 12
N_TOPIC_SAMPLES = 6
COUNTS = (2, 5, 9, 30)  # all nine topics, and more than there are
SEED = 77
# What is equal is not the smaller one by the last digits of a float.
TOLERANCE = 1e-9

Row = tuple[Any, ...]


@pytest.fixture(scope="module")
def done(experiments_once: Warehouse, tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    """Run every experiment on the random collection."""
    folder = tmp_path_factory.mktemp("experiments")
    warehouse = Warehouse(Path(copyfile(experiments_once.path, folder / "poolhouse.duckdb")))
    for experiment in EXPERIMENTS:
        given: dict[str, Any] = {"n_samples": N_SAMPLES, "depth": DEPTH, "seed": SEED}
        if experiment == "topics":
            given |= {"n_topic_samples": N_TOPIC_SAMPLES}
        settings = settings_of(experiment, widths=WIDTHS, common_topic_counts=COUNTS, **given)
        run_experiment(warehouse, "random", settings)
    return warehouse


@pytest.fixture(scope="module")
def reference() -> ExperimentsReference:
    return ExperimentsReference(random_collection("random", 1), DEPTH)


def rows(warehouse: Warehouse, query: str) -> list[Row]:
    with warehouse.read() as connection:
        return connection.execute(query).fetchall()


def samples(warehouse: Warehouse, experiment: str) -> dict[Row, Sample]:
    """List the samples that were drawn: population, width and number of each."""
    runs: dict[Row, dict[str, list[str]]] = {}
    for *key, role, run_id in rows(
        warehouse,
        f"""
        select population, width, sample, role, run_id
        from fct_experiment_samples where experiment = '{experiment}'
        """,
    ):
        runs.setdefault(tuple(key), {"unpooled": [], "pooled": []})[role].append(run_id)
    return {
        key: Sample(unpooled, tuple(roles["pooled"]))
        for key, roles in runs.items()
        for [unpooled] in [roles["unpooled"]]
    }


def assert_same(found: dict[Row, Row], expected: dict[Row, Row]) -> None:
    """Compare every row; a dictionary of approximations shows no more than that it differs."""
    assert found.keys() == expected.keys()
    wrong = {
        key: (found[key], values)
        for key, values in expected.items()
        if found[key] != pytest.approx(values, abs=TOLERANCE, rel=0)
    }
    assert not wrong, f"{len(wrong)} of {len(expected)} rows, such as {next(iter(wrong.items()))}"


def keyed(found: list[Row], n_key: int) -> dict[Row, Row]:
    by_key = {row[:n_key]: row[n_key:] for row in found}
    assert len(by_key) == len(found), "a key twice"
    return by_key


@pytest.mark.parametrize("experiment", ["bias", "systems"])
def test_estimates(experiment: str, done: Warehouse, reference: ExperimentsReference) -> None:
    found = rows(
        done,
        f"""
        select population, width, sample, measure, unjudged, estimator, true_score, estimate, error
        from fct_experiment_estimates where experiment = '{experiment}'
        """,
    )
    expected = {
        (*key, f"{measure}@{DEPTH}", unjudged, estimator): (true, estimate, estimate - true)
        for key, sample in samples(done, experiment).items()
        for measure in MEASURES
        for true in [fmean(reference.true_scores(sample, measure))]
        for (unjudged, estimator), estimate in reference.estimates(sample, measure).items()
        if (estimator == "unadjusted" if experiment == "bias" else unjudged == "nonrelevant")
    }
    of_a_sample = {"bias": len(TREATMENTS), "systems": 3}[experiment] * len(MEASURES)
    assert len(expected) == 2 * len(WIDTHS) * N_SAMPLES * of_a_sample
    assert_same(keyed(found, 6), expected)


def from_topics(
    done: Warehouse, reference: ExperimentsReference, experiment: str, n_topic_samples: int
) -> Iterator[tuple[Row, float, list[TopicEstimate]]]:
    """Estimate from every sample of topics: key, true score and estimates."""
    for key, sample in samples(done, experiment).items():
        for measure in MEASURES:
            true = reference.true_scores(sample, measure)
            for unjudged in TREATMENTS:
                unpooled = reference.unpooled_scores(sample, measure, unjudged)
                for n in COUNTS[:-1]:
                    yield (
                        (*key, unjudged, f"{measure}@{DEPTH}", n),
                        fmean(true),
                        [
                            reference.topic_estimate(
                                true, unpooled, reference.common_topics(SEED, key[2], number, n)
                            )
                            for number in range(1, n_topic_samples + 1)
                        ],
                    )


def test_topic_errors(done: Warehouse, reference: ExperimentsReference) -> None:
    found = rows(
        done,
        """
        select
            population, width, sample, unjudged, measure, n_common_topics, estimator, n_topics,
            n_topic_samples, mean_error, mean_absolute_error, mean_squared_error,
            n_smaller_adjusted_variance
        from fct_experiment_topic_errors
        """,
    )
    expected = {}
    for key, true, estimates in from_topics(done, reference, "topics", N_TOPIC_SAMPLES):
        n_smaller = sum(each.delta_variance < each.true_variance - TOLERANCE for each in estimates)
        for name, estimator in {
            "unadjusted": "unadjusted",
            "mixed": "mixed",
            "sampled": "sampled",
            "webber_park_topics": "adjusted",
        }.items():
            errors = [getattr(each, estimator) - true for each in estimates]
            expected[*key, name] = (
                len(reference.topics),
                N_TOPIC_SAMPLES,
                fmean(errors),
                fmean(map(abs, errors)),
                fmean(error**2 for error in errors),
                n_smaller,
            )
    assert_same(keyed(found, 7), expected)


def test_topic_estimates(done: Warehouse, reference: ExperimentsReference) -> None:
    found = rows(
        done,
        """
        select
            population, width, sample, unjudged, measure, n_common_topics, n_topics, true_score,
            unadjusted_score, adjustment, mixed_score, sampled_score, adjusted_score,
            delta_variance, true_variance, sampled_standard_error, adjusted_standard_error,
            has_equal_deltas, has_smaller_adjusted_variance, is_adjustment_beyond_its_error
        from fct_experiment_topic_estimates
        """,
    )
    expected = {
        key: (
            len(reference.topics),
            true,
            each.unadjusted,
            each.adjustment,
            each.mixed,
            each.sampled,
            each.adjusted,
            each.delta_variance,
            each.true_variance,
            each.sampled_standard_error,
            each.adjusted_standard_error,
            each.delta_variance < TOLERANCE,
            each.delta_variance < each.true_variance - TOLERANCE,
            each.adjusted_standard_error < abs(each.adjustment) - TOLERANCE,
        )
        for key, true, [each] in from_topics(done, reference, "intervals", 1)
    }
    # Each answer of each question is among them.
    for column in (-3, -2, -1):
        assert {values[column] for values in expected.values()} == {False, True}
    assert_same(keyed(found, 6), expected)
