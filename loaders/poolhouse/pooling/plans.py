"""What pools would cost before anything is judged: by strategy and budget, by topic, by run."""

from collections.abc import Sequence
from dataclasses import dataclass

import duckdb
import polars as pl

from poolhouse.errors import PoolhouseError
from poolhouse.pooling.asking import PoolRequest, asked_of, known_answers
from poolhouse.pooling.choosing import UNJUDGED_SHARES, Chooser, is_known
from poolhouse.pooling.known_strategies import Strategy, strategy_named
from poolhouse.pooling.recommending import Recommendation, enough, recommended
from poolhouse.pooling.run_lines import POOLED_LINES
from poolhouse.progress import Progress, no_progress
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.frames import put_table, rows_of
from poolhouse.warehouse.own_macros import make_macros

# Planned where none is asked for: what is simple, and what left the fewest documents unjudged on
# real collections. Fusions leave much of the runs of the pool unjudged (docs/decisions/pools.md).
PLANNED = ("depth", "take_by_run", "take_by_organization", "rbp_a")

# The pools of the budgets: documents with their ranks in the runs, and the depth of each topic, the
# lowest rank from which a document comes.
_POOLS = f"""
create or replace temp table chosen_pools as
with documents as (
    select distinct topics.topic_key, documents.doc_key, pools.topic_id, pools.doc_id
    from pools
    inner join intermediate.int_collections as collections
        on collections.collection_id = getvariable('pool_collection')
    inner join intermediate.int_topics as topics using (collection_key, topic_id)
    inner join intermediate.int_documents as documents using (collection_key, doc_id)
),

ranks as (
    select
        topic_key, doc_key, topic_id, doc_id,
        min(lines.rank) as best_rank,
        min(lines.rank, 2)[2] as next_rank
    from documents
    inner join {POOLED_LINES} as lines using (topic_key, doc_key)
    group by all
)

select
    pools.*,
    ranks.* exclude (topic_id, doc_id),
    budgets.budget,
    max(ranks.best_rank) over (
        partition by pools.strategy, budgets.budget, pools.topic_id
    ) as topic_depth
from pools
inner join budgets on pools.cost <= budgets.budget
inner join ranks using (topic_id, doc_id)
"""  # noqa: S608 - own words
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
select
    asked.strategy, budgets.budget,
    {_COUNTS},
    any_value(shares.unjudged_10) as unjudged_10,
    any_value(shares.unjudged_10_left_out) as unjudged_10_left_out
from asked_strategies as asked
cross join budgets
inner join dim_pooling_strategies as strategies using (strategy)
left join chosen_pools as pools using (strategy, budget)
left join ({UNJUDGED_SHARES}) as shares using (strategy, budget)
group by asked.strategy, strategies.position, budgets.budget
order by strategies.position, budgets.budget
"""  # noqa: S608 - own words
_BY_TOPIC = f"""
select strategy, budget, topic_id, {_COUNTS}
from chosen_pools as pools
group by strategy, budget, topic_id
order by strategy, budget, topic_id
"""  # noqa: S608 - own words
_BY_RUN = f"""
select
    pools.strategy, pools.budget, runs.run_id,
    any_value(runs.organization) as organization,
    count(distinct pools.topic_id) as n_topics,
    {_COUNTS}
from chosen_pools as pools
inner join {POOLED_LINES} as lines
    on
        pools.topic_key = lines.topic_key
        and pools.doc_key = lines.doc_key
        and lines.rank <= pools.topic_depth
inner join intermediate.int_runs as runs on lines.run_key = runs.run_key
group by pools.strategy, pools.budget, runs.run_id
order by pools.strategy, pools.budget, n_of_one_run desc, runs.run_id
"""  # noqa: S608 - own words
_ROWS = {"strategy": _BY_STRATEGY, "topic": _BY_TOPIC, "run": _BY_RUN}


@dataclass(frozen=True)
class PlanQuestion:
    """Budgets and strategies, and what a row is about besides: nothing, a topic or a run.

    No strategies stand for PLANNED.
    """

    budgets: tuple[int, ...]
    strategies: tuple[str, ...] = ()
    by: str = "strategy"


@dataclass(frozen=True)
class PlannedPools:
    """The rows of a plan, and the strategy that is recommended for the largest budget."""

    rows: pl.DataFrame
    recommendation: Recommendation | None


def planned_pools(
    warehouse: Warehouse,
    request: PoolRequest,
    question: PlanQuestion,
    progress: Progress = no_progress,
) -> PlannedPools:
    """Return the sizes of pools. The budget of the request is the largest one.

    Strategies that need answers or draw have no plan, because their documents depend on these.
    `n_of_one_run` counts the documents that only one run contributes: the runs contribute their
    documents down to the depth of the topic, the lowest rank from which a document of the pool
    comes. In rows of runs, a document counts for every run that contributes it. Raise
    PoolhouseError for an unknown strategy or one without a plan, UnknownCollectionError, and the
    errors of the warehouse.
    """
    with asked_of(warehouse, request) as connection:
        chosen = [strategy_named(connection, each) for each in question.strategies or PLANNED]
        if odd := next((each for each in chosen if not _may_be_planned(each)), None):
            raise PoolhouseError(
                f"the documents of {odd.name!r} depend on "
                f"{'answers' if odd.needs_answers else 'draws'}: its pool has as many as the "
                "budget allows, and `pool make` writes them"
            )
        put_table(connection, "pools", _pools(connection, request, chosen, progress))
        put_table(connection, "budgets", pl.DataFrame({"budget": sorted(set(question.budgets))}))
        names = pl.DataFrame({"strategy": [each.name for each in chosen]})
        put_table(connection, "asked_strategies", names)
        connection.execute(_POOLS)
        make_macros(connection, "chosen_pools_unjudged")
        by_strategy = rows_of(connection, _BY_STRATEGY)
        rows = by_strategy if question.by == "strategy" else rows_of(connection, _ROWS[question.by])
        return PlannedPools(rows, recommended(by_strategy, enough(connection)))


def _may_be_planned(strategy: Strategy) -> bool:
    return not strategy.needs_answers and not strategy.has_seed


def _pools(
    connection: duckdb.DuckDBPyConnection,
    request: PoolRequest,
    strategies: Sequence[Strategy],
    progress: Progress,
) -> pl.DataFrame:
    """Return the documents of the largest budget, each with the smallest budget that has it."""
    known = known_answers(connection, request.collection)
    chooser = Chooser(connection, request)
    pools = []
    for number, strategy in enumerate(strategies):
        progress(strategy.name, number, len(strategies))
        pool = chooser.documents(strategy, {}).with_columns(strategy=pl.lit(strategy.name))
        pools.append(pool.select("strategy", "topic_id", "doc_id", "cost"))
    pool = pl.concat(pools)
    return pool.with_columns(is_judged=is_known(pool, known))
