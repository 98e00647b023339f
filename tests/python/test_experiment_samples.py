"""Test the samples: which runs may be drawn, what is the same, and that all are equally likely."""

from collections import Counter
from collections.abc import Iterator

import duckdb
import pytest
import scipy

from experiment_collections import N_AUTOMATIC, N_JUDGED_TOPICS, N_MANUAL, NO_ANSWERS
from experiments_reference import Sample, lot
from poolhouse.experiments.parts import prepare
from poolhouse.warehouse.file import Warehouse

pytestmark = pytest.mark.heavy

SEED = 2009
N_SAMPLES = 1000
N_RUNS = N_MANUAL + N_AUTOMATIC + 1
N_BEST_MANUAL = 11
# A fair draw is as uneven as this with this probability: a new way to draw fails here once in a
# thousand cases.
UNLIKELY = 0.001


@pytest.fixture(scope="module")
def connection(experiments_once: Warehouse) -> Iterator[duckdb.DuckDBPyConnection]:
    with experiments_once.read() as connection:
        prepare(connection, "random", 2)
        yield connection


def draw(
    connection: duckdb.DuckDBPyConnection,
    population: str,
    width: int,
    samples: range = range(1, N_SAMPLES + 1),
    seed: int = SEED,
) -> dict[int, Sample]:
    """Draw samples, with run ids."""
    roles: dict[int, dict[str, list[str]]] = {}
    for sample, role, run_id in connection.execute(
        """
        select drawn.sample, drawn.role, runs.run_id
        from sampled_runs('random', $1, $2, $3, $4, $5) as drawn
        inner join intermediate.int_runs as runs using (run_key)
        order by all
        """,
        [population, width, samples[0], samples[-1], seed],
    ).fetchall():
        roles.setdefault(sample, {"unpooled": [], "pooled": []})[role].append(run_id)
    return {
        sample: Sample(unpooled, tuple(each["pooled"]))
        for sample, each in roles.items()
        for [unpooled] in [each["unpooled"]]  # one run, not more
    }


def types(connection: duckdb.DuckDBPyConnection) -> dict[str, str | None]:
    """Return the types of the runs, without the run from which nothing can be learnt."""
    rows = connection.execute(
        "select run_id, run_type from dim_runs where collection_id = 'random'"
    ).fetchall()
    return {run: run_type for run, run_type in rows if run != NO_ANSWERS}


def best_manual_runs(connection: duckdb.DuckDBPyConnection) -> set[str]:
    rows = connection.execute(
        """
        select run_id, score from fct_run_scores inner join dim_runs using (collection_id, run_id)
        where collection_id = 'random' and run_type = 'manual' and judgement_set = 'full'
            and unjudged = 'nonrelevant' and measure = 'RBP(p=0.8)@10'
        """
    ).fetchall()
    assert len(rows) == N_MANUAL
    best_first = sorted(rows, key=lambda row: (round(row[1], 9), row[0].encode()), reverse=True)
    return {run for run, _ in best_first[:N_BEST_MANUAL]}


def test_random_population_is_every_run_that_answers_a_judged_topic(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    drawn = draw(connection, "random", 2).values()
    everybody = set(types(connection))
    assert len(everybody) == N_RUNS
    assert {sample.unpooled for sample in drawn} == everybody
    assert {run for sample in drawn for run in sample.pooled} == everybody


def test_manual_population_is_the_best_manual_runs_and_automatic_ones(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    drawn = draw(connection, "manual", 2).values()
    assert {sample.unpooled for sample in drawn} == best_manual_runs(connection)
    automatic = {run for run, run_type in types(connection).items() if run_type == "automatic"}
    assert {run for sample in drawn for run in sample.pooled} == automatic
    assert len(automatic) == N_AUTOMATIC


def test_lots_are_the_reference(connection: duckdb.DuckDBPyConnection) -> None:
    """With these lots, another engine, or another version of this one, draws the same samples."""
    for number, sample in draw(connection, "random", 4, range(1, 51)).items():
        in_order = sorted(types(connection), key=lambda run: lot(SEED, "run", number, run))
        assert sample.unpooled == in_order[0]
        assert set(sample.pooled) == set(in_order[1:5])


def is_even(counts: Counter[str], n_expected: int) -> bool:
    """Return whether each of so many values is drawn about as often as the others."""
    return (
        len(counts) == n_expected and scipy.stats.chisquare(list(counts.values())).pvalue > UNLIKELY
    )


def test_all_runs_are_as_likely(connection: duckdb.DuckDBPyConnection) -> None:
    drawn = draw(connection, "random", 2, range(1, 4001))
    assert is_even(Counter(sample.unpooled for sample in drawn.values()), N_RUNS)
    assert is_even(Counter(run for sample in drawn.values() for run in sample.pooled), N_RUNS)
    pairs = Counter("+".join(sample.pooled) for sample in drawn.values())
    assert is_even(pairs, N_RUNS * (N_RUNS - 1) // 2)


def test_all_topics_are_as_likely_at_each_place(connection: duckdb.DuckDBPyConnection) -> None:
    rows = connection.execute(
        """
        select place, topic_key, count(*)
        from sampled_topics('random', 1, 100, 20, $1)
        group by all
        """,
        [SEED],
    ).fetchall()
    for place in range(1, N_JUDGED_TOPICS + 1):
        counts = Counter({str(topic): n for at, topic, n in rows if at == place})
        assert counts.total() == 100 * 20
        assert is_even(counts, N_JUDGED_TOPICS)
