"""Test the estimates where the truth is known: a simulated collection, every document judged.

The manual runs find documents that the other runs do not look for. Each manual run in turn is a new
run. A pool of the other runs judges its documents, and on some common topics, all judgements are
known.
"""

from collections.abc import Iterator
from pathlib import Path
from shutil import copyfile
from statistics import fmean
from typing import Any

import duckdb
import pytest

from experiment_collections import ODD_ONE_OUT
from poolhouse.experiments import run_experiment, settings_of
from poolhouse.warehouse.file import Warehouse
from questions import question

pytestmark = pytest.mark.heavy

WIDTHS = (2, 4, 8)
N_COMMON = (6, 12)
N_TOPICS = ODD_ONE_OUT.n_topics
# With other random numbers, means over this many samples differ by about this.
NOISE = 0.01


@pytest.fixture(scope="module")
def found(
    experiments_once: Warehouse, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[duckdb.DuckDBPyConnection]:
    copy = tmp_path_factory.mktemp("simulated") / "poolhouse.duckdb"
    warehouse = Warehouse(Path(copyfile(experiments_once.path, copy)))
    for settings in (
        settings_of("systems", n_samples=60, widths=WIDTHS),
        settings_of(
            "topics", n_samples=30, n_topic_samples=40, widths=WIDTHS, common_topic_counts=N_COMMON
        ),
        settings_of("intervals", n_samples=400, widths=(4, 8), common_topic_counts=N_COMMON),
    ):
        run_experiment(warehouse, ODD_ONE_OUT.name, settings)
    with warehouse.read() as connection:
        yield connection


def errors_by_common_topics(
    found: duckdb.DuckDBPyConnection, population: str
) -> dict[tuple[int, int], dict[str, dict[str, Any]]]:
    """Return the errors of RBP@10 by width and number of common topics, for nonrelevant."""
    rows = found.execute(
        f"""
        select width, n_common_topics, estimator, mae, mean_error
        from {question("webber_park_errors")}
        where population = ? and unjudged = 'nonrelevant' and measure = 'RBP(p=0.8)@10'
        """,
        [population],
    ).fetchall()
    errors: dict[tuple[int, int], dict[str, dict[str, Any]]] = {}
    for width, n, estimator, mae, mean_error in rows:
        errors.setdefault((width, n), {})[estimator] = {"mae": mae, "mean": mean_error}
    assert errors.keys() == {(width, n) for width in WIDTHS for n in N_COMMON}
    return errors


def test_true_score_is_that_under_the_judgement_of_every_document(
    found: duckdb.DuckDBPyConnection,
) -> None:
    n_compared, furthest = found.execute(
        """
        select count(*), max(abs(estimates.true_score - scores.score_all_topics))
        from experiments.fct_experiment_estimates as estimates
        inner join experiments.fct_experiment_samples as samples
            using (collection_id, experiment, population, width, sample)
        inner join fct_run_scores as scores
            on estimates.collection_id = scores.collection_id
            and samples.run_id = scores.run_id
            and estimates.measure = scores.measure
            and scores.judgement_set = 'full'
            and scores.unjudged = 'nonrelevant'
        where samples.role = 'unpooled'
        """
    ).fetchall()[0]
    # two populations; two measures; three estimators by two treatments, and one by one
    assert n_compared == 2 * len(WIDTHS) * 60 * 2 * (2 * 3 + 1)
    assert furthest < 1e-9


def test_adjusted_score_of_the_odd_runs_is_right_in_the_mean(
    found: duckdb.DuckDBPyConnection,
) -> None:
    """The unadjusted and the mixed score are not right in the mean."""
    for (_, n), of in errors_by_common_topics(found, "manual").items():
        assert of["unadjusted"]["mean"] < -0.15
        assert of["mixed"]["mean"] == pytest.approx(
            of["unadjusted"]["mean"] * (N_TOPICS - n) / N_TOPICS, abs=NOISE
        )
        assert of["webber_park_topics"]["mean"] == pytest.approx(0, abs=NOISE)
        assert of["sampled"]["mean"] == pytest.approx(0, abs=NOISE)


def test_adjusted_score_of_the_odd_runs_is_nearer_to_the_truth(
    found: duckdb.DuckDBPyConnection,
) -> None:
    for of in errors_by_common_topics(found, "manual").values():
        assert of["webber_park_topics"]["mae"] < of["mixed"]["mae"] / 2
        assert of["mixed"]["mae"] < of["unadjusted"]["mae"]
        # Their pools judge so little of these runs that the common topics alone say as much.
        assert of["webber_park_topics"]["mae"] == pytest.approx(of["sampled"]["mae"], abs=NOISE)


def test_adjusted_score_is_the_best_of_any_run(found: duckdb.DuckDBPyConnection) -> None:
    for of in errors_by_common_topics(found, "random").values():
        best = min(of, key=lambda estimator: float(of[estimator]["mae"]))
        assert best in {"webber_park_topics", "ratio_common_topics", "regression_common_topics"}
        assert of["webber_park_topics"]["mae"] < of["unadjusted"]["mae"] / 2


def test_residuals_help_the_odd_runs(found: duckdb.DuckDBPyConnection) -> None:
    """Their unjudged documents are often relevant; both estimates are nearly right in the mean."""
    for (_, n), of in errors_by_common_topics(found, "manual").items():
        for name in ("ratio_common_topics", "regression_common_topics"):
            assert of[name]["mean"] == pytest.approx(0, abs=NOISE if n > 6 else 2 * NOISE)
        assert of["ratio_common_topics"]["mae"] < of["webber_park_topics"]["mae"]


@pytest.mark.parametrize("estimator", ["ratio_common_topics", "regression_common_topics"])
def test_intervals_by_residuals_hold_the_truth_nearly_as_often_as_they_say(
    estimator: str, found: duckdb.DuckDBPyConnection
) -> None:
    rows = found.execute(
        f"""
        select confidence, avg(coverage), count(*) from {question("webber_park_intervals")}
        where estimator = ? and method = 't'
        group by confidence
        """,
        [estimator],
    ).fetchall()
    assert len(rows) == 2
    for confidence, coverage, n_cells in rows:
        # two populations, two widths, two measures, two numbers of topics
        assert n_cells == 16
        assert coverage == pytest.approx(confidence, abs=0.06)


def test_inference_from_systems_leaves_the_odd_runs_their_bias(
    found: duckdb.DuckDBPyConnection,
) -> None:
    """The wider the pool, the less its runs lose, because all of them are of another kind."""
    rows = found.execute(
        f"""
        select width, estimator, mean_error from {question("webber_park_table_1")}
        where population = 'manual' and unjudged = 'nonrelevant' and measure = 'RBP(p=0.8)@10'
        """
    ).fetchall()
    errors = {(width, estimator): error for width, estimator, error in rows}
    for width, least_left in {2: 0.2, 4: 0.5, 8: 0.8}.items():
        left = errors[width, "webber_park_systems"] / errors[width, "unadjusted"]
        assert left > least_left


def test_the_rule_tells_where_it_helps_to_adjust(found: duckdb.DuckDBPyConnection) -> None:
    """For condensed lists, the unadjusted score is sometimes nearly right, with little to gain."""
    rows = found.execute(
        """
        select
            is_adjustment_beyond_its_error,
            count(*),
            avg(abs(adjusted_score - true_score)) / avg(abs(unadjusted_score - true_score))
        from experiments.fct_experiment_topic_estimates
        where population = 'manual' and unjudged = 'condensed'
        group by all
        order by all
        """
    ).fetchall()
    [(_, n_within, left_within), (_, n_beyond, left_beyond)] = rows
    assert min(n_within, n_beyond) > 500
    assert left_beyond < 0.7
    assert left_within > left_beyond + 0.15


@pytest.mark.parametrize("confidence", [0.68, 0.95])
def test_intervals_hold_the_truth_as_often_as_they_say(
    confidence: float, found: duckdb.DuckDBPyConnection
) -> None:
    """Intervals are by Student's t; the normal distribution's are too narrow for so few topics."""
    rows = found.execute(
        f"""
        select t.coverage, narrower.coverage
        from {question("webber_park_intervals")} as t
        inner join {question("webber_park_intervals")} as narrower
            using (
                collection_id, population, width, unjudged, measure, n_common_topics, estimator,
                confidence
            )
        where
            estimator = 'webber_park_topics'
            and t.method = 't' and narrower.method = 'normal' and confidence = ?
        """,
        [confidence],
    ).fetchall()
    assert len(rows) == 2 * 2 * 2 * 2 * 2
    for by_t, by_normal in rows:
        assert by_normal <= by_t
        # Deltas are skewed where few topics have deltas other than 0.
        assert by_t == pytest.approx(confidence, abs=0.15)
    assert fmean(by_t for by_t, _ in rows) == pytest.approx(confidence, abs=0.03)
    assert fmean(by_normal for _, by_normal in rows) < fmean(by_t for by_t, _ in rows) - 0.015
