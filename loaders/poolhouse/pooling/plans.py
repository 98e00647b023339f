"""What pools would cost before anything is judged: by strategy and budget, by topic, by run."""

from collections.abc import Sequence
from dataclasses import dataclass

import duckdb
import polars as pl

from poolhouse.errors import PoolhouseError
from poolhouse.pooling.asking import PoolRequest, asked_of, known_answers
from poolhouse.pooling.choosing import Chooser, documents_by_value, is_known
from poolhouse.pooling.known_strategies import Strategy, known_strategies, strategy_named
from poolhouse.pooling.run_lines import POOLED_LINES
from poolhouse.progress import Progress, no_progress
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.frames import put_table, rows_of

# The documents that any strategy may choose, with what is known about them.
_ALL = "take"
_OF_DOCUMENTS = ("best_rank", "next_rank")

# The pools of the budgets, with the depth of each topic: the lowest rank from which a document
# comes.
_POOLS = """
with pools_of_budgets as (
    select
        pools.*,
        budgets.budget,
        max(pools.best_rank) over (
            partition by pools.strategy, budgets.budget, pools.topic_id
        ) as topic_depth
    from pools
    inner join budgets on pools.cost <= budgets.budget
)
"""
_COUNTS = """
    count(pools.doc_id) as n_documents,
    max(pools.best_rank) as deepest_rank,
    count(pools.doc_id) filter (
        where coalesce(pools.next_rank > pools.topic_depth, true)
    ) as n_of_one_run,
    count(*) filter (where pools.is_judged) as n_judged
"""
# A budget that buys no document has a row too.
_BY_STRATEGY = f"""
{_POOLS}
select
    asked.strategy, budgets.budget,
    count(distinct pools.topic_id) as n_topics,
    count(pools.doc_id) / nullif(count(distinct pools.topic_id), 0) as documents_per_topic,
    {_COUNTS}
from asked_strategies as asked
cross join budgets
inner join dim_pooling_strategies as strategies using (strategy)
left join pools_of_budgets as pools using (strategy, budget)
group by asked.strategy, strategies.position, budgets.budget
order by strategies.position, budgets.budget
"""  # noqa: S608 - own words
_BY_TOPIC = f"""
{_POOLS}
select strategy, budget, topic_id, {_COUNTS}
from pools_of_budgets as pools
group by strategy, budget, topic_id
order by strategy, budget, topic_id
"""  # noqa: S608 - own words
_BY_RUN = f"""
{_POOLS}
select
    pools.strategy, pools.budget, runs.run_id,
    any_value(runs.organization) as organization,
    count(distinct pools.topic_id) as n_topics,
    {_COUNTS}
from pools_of_budgets as pools
inner join intermediate.int_collections as collections
    on collections.collection_id = getvariable('pool_collection')
inner join intermediate.int_topics as topics
    on collections.collection_key = topics.collection_key and pools.topic_id = topics.topic_id
inner join intermediate.int_documents as documents
    on collections.collection_key = documents.collection_key and pools.doc_id = documents.doc_id
inner join {POOLED_LINES} as lines
    on
        topics.topic_key = lines.topic_key
        and documents.doc_key = lines.doc_key
        and lines.rank <= pools.topic_depth
inner join intermediate.int_runs as runs on lines.run_key = runs.run_key
group by pools.strategy, pools.budget, runs.run_id
order by pools.strategy, pools.budget, n_of_one_run desc, runs.run_id
"""  # noqa: S608 - own words
_ROWS = {"strategy": _BY_STRATEGY, "topic": _BY_TOPIC, "run": _BY_RUN}


@dataclass(frozen=True)
class PlanQuestion:
    """Budgets and strategies, and what a row is about besides: nothing, a topic or a run.

    No strategies stand for all that need no answer and do not draw.
    """

    budgets: tuple[int, ...]
    strategies: tuple[str, ...] = ()
    by: str = "strategy"


def planned_pools(
    warehouse: Warehouse,
    request: PoolRequest,
    question: PlanQuestion,
    progress: Progress = no_progress,
) -> pl.DataFrame:
    """Return the sizes of pools. The budget of the request is the largest one.

    Strategies that need answers or draw have no plan, because their documents depend on these.
    `n_of_one_run` counts the documents that only one run contributes: the runs contribute their
    documents down to the depth of the topic, the lowest rank from which a document of the pool
    comes. In rows of runs, a document counts for every run that contributes it. Raise
    PoolhouseError for an unknown strategy or one without a plan, UnknownCollectionError, and the
    errors of the warehouse.
    """
    with asked_of(warehouse, request) as connection:
        chosen = [strategy_named(connection, each) for each in question.strategies] or [
            each for each in known_strategies(connection).values() if _may_be_planned(each)
        ]
        if odd := next((each for each in chosen if not _may_be_planned(each)), None):
            raise PoolhouseError(
                f"the documents of {odd.name!r} depend on "
                f"{'answers' if odd.needs_answers else 'draws'}: its pool has as many as the "
                "budget allows, and `pool make` writes them"
            )
        pools = _pools(connection, request, chosen, progress)
        known = known_answers(connection, request.collection)
        put_table(connection, "pools", pools.with_columns(is_judged=is_known(pools, known)))
        put_table(connection, "budgets", pl.DataFrame({"budget": sorted(set(question.budgets))}))
        names = pl.DataFrame({"strategy": [each.name for each in chosen]})
        put_table(connection, "asked_strategies", names)
        return rows_of(connection, _ROWS[question.by])


def _may_be_planned(strategy: Strategy) -> bool:
    return not strategy.needs_answers and not strategy.has_seed


def _pools(
    connection: duckdb.DuckDBPyConnection,
    request: PoolRequest,
    strategies: Sequence[Strategy],
    progress: Progress,
) -> pl.DataFrame:
    """Return the documents of the largest budget, each with the smallest budget that has it."""
    columns = ("strategy", "topic_id", "doc_id", "cost", *_OF_DOCUMENTS)
    chooser = Chooser(connection, request)
    # Read only where they are needed.
    documents: pl.DataFrame | None = None
    pools = []
    for number, strategy in enumerate(strategies):
        progress(strategy.name, number, len(strategies))
        pool = chooser.documents(strategy, {})
        if not strategy.is_in_sql:
            if documents is None:
                documents = documents_by_value(connection, _ALL, None)
            pool = pool.join(
                documents.select("topic_id", "doc_id", *_OF_DOCUMENTS), on=["topic_id", "doc_id"]
            ).with_columns(strategy=pl.lit(strategy.name))
        pools.append(pool.select(columns))
    return pl.concat(pools)
