"""The experiment `pools`: what each strategy and budget would have given on a judged collection."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from time import perf_counter

import duckdb
import polars as pl

from poolhouse.errors import PoolhouseError
from poolhouse.experiments.requests import PoolSettings
from poolhouse.experiments.results import computed_results, computing, store_settings, stored_at
from poolhouse.experiments.running import ExperimentReport, built_state, publish
from poolhouse.pooling.asking import Known, PoolRequest, ask_for, known_answers
from poolhouse.pooling.choosing import UNJUDGED_SHARES, Chooser
from poolhouse.pooling.drawing import drawn_design, sampling_frame
from poolhouse.pooling.known_strategies import Strategy, known_strategies, strategy_named
from poolhouse.progress import Progress, no_progress
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.frames import put_table, registered, rows_of
from poolhouse.warehouse.own_macros import make_macros

EXPERIMENT = "pools"

# Budgets, where none are given, in per cent of the judgements of the collection.
_SHARES = (5, 10, 25, 50)

_MODELS = ("chosen_pool_errors", "chosen_pool_scores", "chosen_pools_unjudged")
_RESIDUAL = "RBPResidual(p=0.8)@100"
_MEASURE_OF_RESIDUAL = "RBP(p=0.8)@100"

# The leaderboard of a sample: AP as the authors of the design estimate it, P@10 by weights. A run
# that answers no topic of the sample has score 0, as it has by a pool.
_SCORES_OF_SAMPLE = """
select
    true_scores.run_id,
    true_scores.measure,
    coalesce(scores.score * scores.n_topics / $n_topics, 0) as score
from true_scores
left join (
    select *
    from planning.sample_run_scores($collection, 'design')
    where
        (measure = 'AP' and list_contains($estimators, estimator))
        or (measure = 'P@10' and estimator = 'statAP')
) as scores
    using (run_id, measure)
where true_scores.measure in ('AP', 'P@10')
"""

# How well the scores agree with the true ones, by measure.
AGREEMENT = """
with compared as (
    select
        scores.measure as leaderboard,
        scores.run_id,
        scores.score,
        true_scores.score as true_score
    from scores
    inner join true_scores using (measure, run_id)
)
select
    leaderboard as measure,
    kendall_tau,
    rbo
from intermediate.int_leaderboard_agreement('compared')
"""

# A sample of strata that has one stratum in each topic is one of infAP.
_ESTIMATORS = {
    "uniform_sample": ["infAP"],
    "stratified_sample": ["infAP", "xinfAP"],
    "proportional_sample": ["statAP"],
}


def run_pool_experiment(
    warehouse: Warehouse,
    collection: str,
    settings: PoolSettings,
    progress: Progress = no_progress,
    *,
    again: bool = False,
) -> ExperimentReport:
    """Build the pools of strategies and budgets on a built collection, and replace earlier results.

    A strategy gets the answers of the known judgements. A document that nobody judged is counted,
    and is in no pool; an adaptive strategy sees it as not relevant. The samples are drawn from the
    judged documents of the pool of depth 100. Finished experiments are not repeated, as in
    `run_experiment`, whose errors this function raises too.
    """
    with computing(warehouse) as connection:
        built = built_state(connection, collection)
        known = known_answers(connection, collection)
        n_judged = sum(map(len, known.values()))
        budgets = sorted(set(settings.budgets)) or [
            max(1, n_judged * share // 100) for share in _SHARES
        ]
        strategies = [strategy_named(connection, each) for each in settings.strategies] or list(
            known_strategies(connection).values()
        )
        n_pools = len(budgets) * len(strategies)
        asked = {
            **built._asdict(),
            "experiment": EXPERIMENT,
            "n_samples": n_pools,
            "seed": settings.seed,
            "depth": settings.depth,
            "widths": [],
            "budgets": budgets,
            "strategies": [each.name for each in strategies],
        }
        if not again and (finished_at := stored_at(connection, asked)):
            return ExperimentReport(n_pools, 0, (), finished_at)
        make_macros(connection, *_MODELS)
        experiment = _Experiment(connection, collection, settings, budgets, known)
        for number, strategy in enumerate(strategies):
            progress(strategy.name, number, len(strategies))
            for pool in experiment.pools(strategy):
                experiment.keep(built.collection_key, pool)
        store_settings(connection, asked)
        results = computed_results(connection)
    publish(warehouse, collection, built, EXPERIMENT, results)
    return ExperimentReport(n_pools, len(strategies), experiment.remarks())


@dataclass(frozen=True)
class _Pool:
    """The documents of a strategy and budget, the seconds of choosing them, and a sample's design.

    `documents` has topic_id and doc_id.
    """

    strategy: Strategy
    budget: int
    documents: pl.DataFrame
    seconds: float
    design: pl.DataFrame | None = None


def _runs_of_experiment(connection: duckdb.DuckDBPyConnection, collection: str) -> tuple[str, ...]:
    """Return the pooled runs, or all runs where no run is known to be pooled."""
    rows = connection.execute(
        """
        select runs.run_id
        from intermediate.int_runs as runs
        inner join intermediate.int_collections as collections using (collection_key)
        inner join intermediate.int_pooled_states as states using (run_key)
        where collections.collection_id = $collection
        qualify states.is_pooled or not coalesce(bool_or(states.is_pooled) over (), false)
        order by runs.run_id
        """,
        {"collection": collection},
    )
    return tuple(run_id for (run_id,) in rows.fetchall())


class _Experiment:
    """Choosing and scoring the pools of one collection."""

    def __init__(
        self,
        connection: duckdb.DuckDBPyConnection,
        collection: str,
        settings: PoolSettings,
        budgets: Sequence[int],
        known: Known,
    ) -> None:
        self._unknown: set[tuple[str, str]] = set()
        self._refused: list[str] = []
        self._connection = connection
        self._collection = collection
        self._settings = settings
        self._budgets = budgets
        self._known = known
        runs = _runs_of_experiment(connection, collection)
        self._request = PoolRequest(collection, max(budgets), runs=runs, seed=settings.seed)
        self._chooser = Chooser(connection, self._request)
        ask_for(connection, self._request)
        rows = [
            (topic_id, doc_id, is_relevant)
            for topic_id, answers in known.items()
            for doc_id, is_relevant in answers.items()
        ]
        schema = {"topic_id": pl.String, "doc_id": pl.String, "is_relevant": pl.Boolean}
        self._judged = pl.DataFrame(rows, schema=schema, orient="row")
        self._score(self._judged)
        connection.execute("create temp table true_scores as from scores")

    def remarks(self) -> tuple[str, ...]:
        """Say how much is unknown, and which samples could not be drawn."""
        if not self._unknown:
            return tuple(self._refused)
        return (
            *self._refused,
            f"{len(self._unknown):,} documents of the pools are not judged: they are counted "
            "(n_unknown), and are in no score; adaptive strategies saw them as not relevant",
        )

    def pools(self, strategy: Strategy) -> Iterator[_Pool]:
        """Return the pool of each budget."""
        started = perf_counter()
        if strategy.kind == "sampled":
            yield from self._samples(strategy)
            return
        largest = self._chooser.documents(strategy, self._known)
        seconds = perf_counter() - started
        for budget in self._budgets:
            yield _Pool(strategy, budget, largest.filter(pl.col("cost") <= budget), seconds)

    def _samples(self, strategy: Strategy) -> Iterator[_Pool]:
        """Return the samples of the budgets that are large enough."""
        frame = sampling_frame(self._connection).join(
            self._judged, on=["topic_id", "doc_id"], how="semi"
        )
        for budget in self._budgets:
            request = replace(self._request, budget=budget)
            started = perf_counter()
            try:
                design = drawn_design(frame, request, strategy.name)
            except PoolhouseError as error:
                self._refused.append(f"{strategy.name}, budget {budget}: {error}")
                continue
            seconds = perf_counter() - started
            yield _Pool(strategy, budget, design.filter("is_sampled"), seconds, design)

    def keep(self, collection_key: int, pool: _Pool) -> None:
        """Score the runs by a pool, and keep the results."""
        documents = pool.documents.select("topic_id", "doc_id")
        judged = documents.join(self._judged, on=["topic_id", "doc_id"])
        if documents.is_empty():
            self._refused.append(f"{pool.strategy.name}, budget {pool.budget}: buys no document")
            return
        self._unknown.update(
            documents.join(self._judged, on=["topic_id", "doc_id"], how="anti").rows()
        )
        counts = {
            "n_documents": documents.height,
            "n_judged": judged.height,
            "n_relevant": int(judged["is_relevant"].sum()),
            "n_relevant_of_all": int(self._judged["is_relevant"].sum()),
        }
        key = {
            "collection_key": collection_key,
            "experiment": EXPERIMENT,
            "strategy": pool.strategy.name,
            "budget": pool.budget,
        }
        self._score(judged, pool.design, pool.strategy.name)
        agreement = self._agreement()
        if pool.design is None:
            names = {"strategy": pl.lit(pool.strategy.name), "budget": pl.lit(pool.budget)}
            put_table(self._connection, "chosen_pools", judged.with_columns(**names))
            shares = rows_of(self._connection, UNJUDGED_SHARES)
            agreement = agreement.join(shares.drop("strategy", "budget"), how="cross")
        self._keep("pools", agreement, key | counts | {"seconds": pool.seconds})
        if pool.design is None:
            errors = rows_of(
                self._connection,
                "from chosen_pool_errors($collection, 'chosen', $of_runs, $depth)",
                {
                    "collection": self._collection,
                    "of_runs": self._request.of_runs,
                    "depth": self._settings.depth,
                },
            )
            self._keep("pool_errors", errors, key)

    def _score(
        self, judged: pl.DataFrame, design: pl.DataFrame | None = None, strategy: str = ""
    ) -> None:
        """Store the scores of all runs by these documents, or by a sample, in `scores`."""
        put_table(self._connection, "chosen", judged.select("topic_id", "doc_id"))
        query = "from chosen_pool_scores($collection, 'chosen')"
        values: dict[str, object] = {"collection": self._collection}
        if design is not None:
            put_table(self._connection, "design", design)
            query = _SCORES_OF_SAMPLE
            values |= {"estimators": _ESTIMATORS[strategy], "n_topics": len(self._known)}
        scores = rows_of(self._connection, query, values)
        put_table(self._connection, "scores", scores)

    def _agreement(self) -> pl.DataFrame:
        """Return one row per measure: agreement with the full judgements, means and residuals."""
        agreement = rows_of(self._connection, AGREEMENT)
        means = rows_of(
            self._connection,
            "select measure, avg(score) as mean_score from scores group by measure",
        )
        residuals = means.filter(pl.col("measure") == _RESIDUAL).select(
            measure=pl.lit(_MEASURE_OF_RESIDUAL), mean_residual="mean_score"
        )
        return (
            agreement.join(means, on="measure")
            .filter(pl.col("measure") != _RESIDUAL)
            .join(residuals, on="measure", how="left")
        )

    def _keep(self, table: str, rows: pl.DataFrame, more: dict[str, object]) -> None:
        literals = [pl.lit(value).alias(name) for name, value in more.items()]
        with registered(self._connection, "computed", rows.with_columns(*literals)):
            self._connection.execute(
                f"insert into memory.experiments.{table} by name from computed"
            )
