"""Compare every row and value of the experiments with the reference, on a random collection."""

from collections.abc import Iterator
from statistics import fmean

import numpy as np
import pytest
import scipy

from experiments_done import (
    COUNTS,
    DEPTH,
    N_SAMPLES,
    N_TOPIC_SAMPLES,
    SEED,
    TOLERANCE,
    WIDTHS,
    Done,
    Row,
    assert_same,
)
from experiments_reference import MEASURES, TREATMENTS, ResidualEstimate, Sample, TopicEstimate
from poolhouse.scoring.estimating.bootstrap import bootstrap_bounds

pytestmark = pytest.mark.heavy

CONFIDENCES = (0.68, 0.95)


@pytest.mark.parametrize("unjudged", TREATMENTS)
@pytest.mark.parametrize("experiment", ["bias", "systems"])
def test_estimates(experiment: str, unjudged: str, experiments_done: Done) -> None:
    reference = experiments_done.reference
    found = experiments_done.keyed(
        f"""
        experiments.fct_experiment_estimates
        where experiment = '{experiment}' and unjudged = '{unjudged}'
        """,
        "population, width, sample, measure, estimator",
        "true_score, estimate, error",
    )
    expected = {
        (*key, f"{measure}@{DEPTH}", estimator): (true, estimate, estimate - true)
        for key, sample in experiments_done.samples(experiment).items()
        for measure in MEASURES
        for true in [fmean(reference.true_scores(sample, measure))]
        for (treatment, estimator), estimate in reference.estimates(sample, measure).items()
        if treatment == unjudged and (estimator == "unadjusted" or experiment == "systems")
    }
    n_of_systems = 4 if unjudged == "nonrelevant" else 3
    of_a_sample = {"bias": 1, "systems": n_of_systems}[experiment] * len(MEASURES)
    assert len(expected) == 2 * len(WIDTHS) * N_SAMPLES * of_a_sample
    assert_same(found, expected)


def from_topics(
    done: Done, experiment: str, n_topic_samples: int
) -> Iterator[tuple[Row, float, list[TopicEstimate]]]:
    """Return the estimates from every sample of topics: key, true score and estimates."""
    reference = done.reference
    for key, sample in done.samples(experiment).items():
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


def by_residuals(
    done: Done, experiment: str, n_topic_samples: int
) -> Iterator[tuple[Row, float, list[dict[str, ResidualEstimate | None]]]]:
    """Return the estimates by residuals, where unjudged documents are not relevant."""
    reference = done.reference
    for key, sample in done.samples(experiment).items():
        for measure in MEASURES:
            known = of_topics(done, sample, measure)
            for n in COUNTS[:-1]:
                drawn = [
                    reference.common_topics(SEED, key[2], number, n)
                    for number in range(1, n_topic_samples + 1)
                ]
                yield (
                    (*key, "nonrelevant", f"{measure}@{DEPTH}", n),
                    fmean(known[0]),
                    [
                        {
                            "ratio": reference.ratio_estimate(*known, common),
                            "regression": reference.regression_estimate(*known, common),
                        }
                        for common in drawn
                    ],
                )


def of_topics(
    done: Done, sample: Sample, measure: str
) -> tuple[list[float], list[float], list[float]]:
    """Return true scores, unpooled scores and residuals, by topic."""
    reference = done.reference
    return (
        reference.true_scores(sample, measure),
        reference.unpooled_scores(sample, measure, "nonrelevant"),
        reference.residuals(sample, measure),
    )


def test_topic_errors(experiments_done: Done) -> None:
    found = experiments_done.keyed(
        "experiments.fct_experiment_topic_errors",
        "population, width, sample, unjudged, measure, n_common_topics, estimator",
        "n_topics, n_topic_samples, mean_error, mean_absolute_error, mean_squared_error, "
        "n_smaller_adjusted_variance, n_fallback",
    )
    expected: dict[Row, Row] = {}
    for key, true, estimates in from_topics(experiments_done, "topics", N_TOPIC_SAMPLES):
        n_smaller = sum(each.delta_variance < each.true_variance - TOLERANCE for each in estimates)
        for name, estimator in {
            "unadjusted": "unadjusted",
            "mixed": "mixed",
            "sampled": "sampled",
            "webber_park_topics": "adjusted",
        }.items():
            errors = [getattr(each, estimator) - true for each in estimates]
            expected[*key, name] = (
                len(experiments_done.reference.topics),
                N_TOPIC_SAMPLES,
                fmean(errors),
                fmean(map(abs, errors)),
                fmean(error**2 for error in errors),
                n_smaller,
                None,
            )
    for key, true, estimates_of in by_residuals(experiments_done, "topics", N_TOPIC_SAMPLES):
        today = expected[*key, "webber_park_topics"]
        for name in ("ratio", "regression"):
            known = [each for of in estimates_of if (each := of[name])]
            if known:
                errors = [each.score - true for each in known]
                expected[*key, f"{name}_common_topics"] = (
                    *today[:2],
                    fmean(errors),
                    fmean(map(abs, errors)),
                    fmean(error**2 for error in errors),
                    today[5],
                    sum(each.is_fallback for each in known),
                )
    # Both fall back for some samples, and not for all; there is no line through two topics.
    for name in ("ratio", "regression"):
        of_name = {key: row for key, row in expected.items() if key[-1] == f"{name}_common_topics"}
        assert {bool(row[-1]) for row in of_name.values()} == {False, True}
        assert min(key[-2] for key in of_name) == {"ratio": 2, "regression": 5}[name]
    assert_same(found, expected)


def test_variances_over_all_topics(experiments_done: Done) -> None:
    """A sample has one answer for any number of common topics."""
    reference = experiments_done.reference
    found = experiments_done.keyed(
        """
        (
            select distinct
                population, width, sample, unjudged, measure, has_smaller_variance_over_all_topics
            from experiments.fct_experiment_topic_errors
        )
        """,
        "population, width, sample, unjudged, measure",
        "has_smaller_variance_over_all_topics",
    )
    expected = {
        (*key, unjudged, f"{measure}@{DEPTH}"): (of_deltas < of_true - TOLERANCE,)
        for key, sample in experiments_done.samples("topics").items()
        for measure in MEASURES
        for unjudged in TREATMENTS
        for of_deltas, of_true in [reference.variances_over_all_topics(sample, measure, unjudged)]
    }
    # Both answers occur.
    assert set(expected.values()) == {(False,), (True,)}
    assert_same(found, expected)


def above_zero(standard_error: float) -> float | None:
    """Return None for 0: equal topics say nothing about the other topics."""
    return standard_error if standard_error > TOLERANCE else None


def test_topic_estimates(experiments_done: Done) -> None:
    found = experiments_done.keyed(
        "experiments.fct_experiment_topic_estimates",
        "population, width, sample, unjudged, measure, n_common_topics",
        """
        n_topics, true_score, unadjusted_score, adjustment, mixed_score, sampled_score,
        adjusted_score, delta_variance, true_variance, sampled_standard_error,
        adjusted_standard_error, has_equal_deltas, has_smaller_adjusted_variance,
        is_adjustment_beyond_its_error
        """,
    )
    expected = {
        key: (
            len(experiments_done.reference.topics),
            true,
            each.unadjusted,
            each.adjustment,
            each.mixed,
            each.sampled,
            each.adjusted,
            each.delta_variance,
            each.true_variance,
            above_zero(each.sampled_standard_error),
            above_zero(each.adjusted_standard_error),
            each.delta_variance < TOLERANCE,
            each.delta_variance < each.true_variance - TOLERANCE,
            each.adjusted_standard_error < abs(each.adjustment) - TOLERANCE,
        )
        for key, true, [each] in from_topics(experiments_done, "intervals", 1)
    }
    # Some errors of both estimates are unknown.
    for column in (-5, -4):
        assert None in {values[column] for values in expected.values()}
    # Each answer of each question occurs.
    for column in (-3, -2, -1):
        assert {values[column] for values in expected.values()} == {False, True}
    assert_same(found, expected)


def test_topic_estimates_by_residuals(experiments_done: Done) -> None:
    found = experiments_done.keyed(
        "experiments.fct_experiment_topic_estimates",
        "population, width, sample, unjudged, measure, n_common_topics",
        """
        ratio_score, ratio_standard_error, is_ratio_fallback,
        regression_score, regression_standard_error, is_regression_fallback
        """,
    )
    expected: dict[Row, Row] = {key: (None,) * 6 for key in found if key[3] == "condensed"}
    for key, _, [estimates] in by_residuals(experiments_done, "intervals", 1):
        expected[key] = tuple(
            value
            for name in ("ratio", "regression")
            for each in [estimates[name]]
            for value in (
                (each.score, above_zero(each.standard_error), each.is_fallback)
                if each
                else (None,) * 3
            )
        )
    # Both have unknown errors, although there is an estimate.
    for column in (0, 3):
        assert any(row[column] is not None and row[column + 1] is None for row in expected.values())
    assert_same(found, expected)


def test_residuals(experiments_done: Done) -> None:
    """The residuals are means over all topics, and over the common topics."""
    reference = experiments_done.reference
    found = experiments_done.keyed(
        "experiments.fct_experiment_topic_estimates where unjudged = 'nonrelevant'",
        "population, width, sample, measure, n_common_topics",
        "mean_residual, common_residual",
    )
    expected = {
        (*key, f"{measure}@{DEPTH}", n): (
            fmean(residuals),
            fmean(residuals[each] for each in reference.common_topics(SEED, key[2], 1, n)),
        )
        for key, sample in experiments_done.samples("intervals").items()
        for measure in MEASURES
        for residuals in [reference.residuals(sample, measure)]
        for n in COUNTS[:-1]
    }
    assert_same(found, expected)


def quantiles(degrees_of_freedom: int) -> Iterator[tuple[str, float, float]]:
    """Return methods and confidences, with the quantile on which the interval is built."""
    for confidence in CONFIDENCES:
        tail = (1 + confidence) / 2
        yield "normal", confidence, scipy.stats.norm.ppf(tail)
        yield "t", confidence, scipy.stats.t.ppf(tail, degrees_of_freedom)


def interval(low: float, high: float, true: float) -> Row:
    """Return the bounds, whether they hold the true score, and whether they are a point."""
    return low, high, low - TOLERANCE <= true <= high + TOLERANCE, high - low < 2 * TOLERANCE


def test_intervals(experiments_done: Done) -> None:
    """The bootstrap draws alike in every part of an experiment."""
    found = experiments_done.keyed(
        "experiments.fct_experiment_intervals",
        "population, width, sample, unjudged, measure, n_common_topics, estimator, method, "
        "confidence",
        "lower_bound, upper_bound, holds_true_score, has_no_width",
    )
    expected = {}
    by_count: dict[int, list[tuple[Row, float, TopicEstimate]]] = {}
    for key, true, [each] in from_topics(experiments_done, "intervals", 1):
        by_count.setdefault(key[-1], []).append((key, true, each))
        for method, confidence, quantile in quantiles(key[-1] - 1):
            reach = quantile * each.adjusted_standard_error
            expected[*key, "webber_park_topics", method, confidence] = interval(
                each.adjusted - reach, each.adjusted + reach, true
            )
    for of_count in by_count.values():
        deltas = np.array([each.deltas for *_, each in of_count])
        n_topics = len(experiments_done.reference.topics)
        for confidence, bounds in bootstrap_bounds(deltas, n_topics, CONFIDENCES, SEED).items():
            for (key, true, each), low, high in zip(of_count, *bounds, strict=True):
                expected[*key, "webber_park_topics", "bootstrap", confidence] = interval(
                    each.unadjusted + low, each.unadjusted + high, true
                )
    for key, true, [estimates] in by_residuals(experiments_done, "intervals", 1):
        for name, estimate in estimates.items():
            if estimate is None:
                continue
            for method, confidence, quantile in quantiles(estimate.degrees_of_freedom):
                reach = quantile * estimate.standard_error
                expected[*key, f"{name}_common_topics", method, confidence] = interval(
                    estimate.score - reach, estimate.score + reach, true
                )
    # The quantiles of the seed have eight decimals.
    assert_same(found, expected, tolerance=1e-8)
