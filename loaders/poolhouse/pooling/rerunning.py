"""What a pool would lack without an organization: by its lists, and by its strategy run again."""

from dataclasses import dataclass, replace

import duckdb
import polars as pl

from poolhouse.building.staleness import check_built
from poolhouse.errors import PoolhouseError
from poolhouse.pooling.asking import Known, PoolRequest, ask_for, known_answers
from poolhouse.pooling.choosing import Chooser
from poolhouse.pooling.known_strategies import Strategy, strategy_named
from poolhouse.progress import Progress, no_progress
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.frames import put_table, rows_of

# The last list in use says how the pool is made again, with the runs of all lists.
_LAST_LIST = """
select made.strategy, made.budget, made.is_per_topic, made.seed, listed_pools.run_ids,
    listed_pools.strategies
from intermediate.int_pool_lists as pool_lists
inner join intermediate.int_listed_pools as listed_pools using (collection_key)
inner join staging.stg_pool_lists as made using (collection_key, list_number)
inner join intermediate.int_collections as collections using (collection_key)
where collections.collection_id = $collection
order by pool_lists.list_number desc
limit 1
"""
_ORGANIZATIONS = """
select runs.organization, list(runs.run_id order by runs.run_id)
from intermediate.int_runs as runs
inner join intermediate.int_collections as collections using (collection_key)
where collections.collection_id = $collection and list_contains($run_ids, runs.run_id)
group by runs.organization
order by runs.organization
"""


@dataclass(frozen=True)
class LeftOut:
    """The rows of int_lists_left_out, the worst first, and the strategy that was run again."""

    strategy: str
    rows: pl.DataFrame

    def mean(self, column: str) -> float:
        """Return the mean of a share over all first documents."""
        weight = pl.col("n_first_documents")
        return float(self.rows.select((pl.col(column) * weight).sum() / weight.sum()).item())


def left_out(warehouse: Warehouse, collection: str, progress: Progress = no_progress) -> LeftOut:
    """Run the strategy of a pool again without each organization, with the answers that are known.

    Every document that nobody judged is taken for not relevant. Raise PoolhouseError where the
    marts are not current, the pool was not made by lists of one strategy, it is a sample, or it
    has one organization; UnknownCollectionError.
    """
    with warehouse.read() as connection:
        check_built(connection, collection)
        strategy, request = _pool_of(connection, collection)
        organizations = connection.execute(
            _ORGANIZATIONS, {"collection": collection, "run_ids": request.of_runs}
        ).fetchall()
        if len(organizations) == 1:
            raise PoolhouseError(f"the pool of {collection!r} has runs of one organization only")
        known = known_answers(connection, collection)
        pools = []
        for number, (organization, _) in enumerate(organizations):
            progress(organization, number, len(organizations))
            others = tuple(
                each
                for other, of_other in organizations
                if other != organization
                for each in of_other
            )
            chosen = _chosen(connection, strategy, replace(request, runs=others), known)
            pools.append(chosen.with_columns(organization=pl.lit(organization)))
        put_table(connection, "chosen_again", pl.concat(pools))
        rows = rows_of(
            connection,
            """
            from intermediate.int_lists_left_out($collection, 'chosen_again')
            order by unjudged_without_again desc, organization
            """,
            {"collection": collection},
        )
    return LeftOut(strategy.name, rows)


def _pool_of(
    connection: duckdb.DuckDBPyConnection, collection: str
) -> tuple[Strategy, PoolRequest]:
    found = connection.execute(_LAST_LIST, {"collection": collection}).fetchone()
    if found is None:
        raise PoolhouseError(
            f"{collection!r} was not judged by lists of `pool make`: fct_unique_contributions says "
            "which documents leave with an organization"
        )
    name, budget, is_per_topic, seed, run_ids, strategies = found
    if name != strategies:
        raise PoolhouseError(
            f"the lists of {collection!r} are by several strategies ({strategies}): "
            "fct_unique_contributions says which documents leave with an organization"
        )
    strategy = strategy_named(connection, name)
    if strategy.kind == "sampled":
        raise PoolhouseError(f"{name!r} draws by lot, so that no document leaves with a run")
    return strategy, PoolRequest(
        collection, budget, is_per_topic, tuple(run_ids), is_of_every_topic=True, seed=seed
    )


def _chosen(
    connection: duckdb.DuckDBPyConnection, strategy: Strategy, request: PoolRequest, known: Known
) -> pl.DataFrame:
    ask_for(connection, request)
    documents = Chooser(connection, request).documents(strategy, known)
    return documents.select("topic_id", "doc_id")
