"""Scores estimated from the sample that `pool make` drew last."""

from dataclasses import dataclass

import polars as pl

from poolhouse.building.staleness import check_built
from poolhouse.errors import PoolhouseError
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.frames import put_table, rows_of
from poolhouse.warehouse.queries import explained

# The last recorded sample: its documents may be on several lists.
_DESIGN = """
with of_collection as (
    select lists.*, documents.* exclude (collection_key, list_number)
    from staging.stg_pool_lists as lists
    inner join staging.stg_pool_documents as documents using (collection_key, list_number)
    inner join staging.stg_collections as collections using (collection_key)
    -- a sample of the labels of an author estimates no scores by strata of a topic
    semi join dim_pooling_strategies as strategies on lists.strategy = strategies.strategy
    where collections.collection_id = $collection and documents.is_sampled is not null
),

last_list as (
    select strategy, budget, is_per_topic, seed, run_ids
    from of_collection
    order by list_number desc
    limit 1
)

select
    topic_id,
    doc_id,
    any_value(columns([
        'stratum', 'n_documents', 'inclusion_probability', 'joint_probability', 'between_factor',
        'is_sampled'
    ]))
from of_collection
semi join last_list using (strategy, budget, is_per_topic, seed, run_ids)
group by topic_id, doc_id
order by topic_id, doc_id
"""

_COUNTS = """
select
    count(*) filter (where is_sampled),
    count(*) filter (where is_answered),
    count(distinct topic_id),
    count(distinct topic_id) filter (where not is_scored),
    min(between_factor) < 1
from intermediate.int_sampling_frame($collection, 'design')
"""


@dataclass(frozen=True)
class SampleScores:
    """The rows of sample_run_scores, and how much of the sample is answered."""

    rows: pl.DataFrame
    n_sampled: int
    n_answered: int
    n_topics: int
    n_topics_left_out: int
    # whether the strata of a topic were drawn together
    is_proportional: bool


def sample_scores(warehouse: Warehouse, collection: str) -> SampleScores:
    """Return the scores by the sample that `pool make` drew last.

    Raise PoolhouseError where there is none, the marts are not current, or too few documents of the
    sample are judged; UnknownCollectionError.
    """
    with warehouse.read() as connection:
        check_built(connection, collection)
        design = rows_of(connection, _DESIGN, {"collection": collection})
        if design.is_empty():
            raise PoolhouseError(
                f"no sample of {collection!r} was drawn: poolhouse pool make --strategy "
                "proportional_sample draws one"
            )
        put_table(connection, "design", design)
        with explained():
            rows = rows_of(
                connection,
                """
                select scores.* exclude (collection_id)
                from planning.sample_run_scores($collection, 'design') as scores
                order by measure, estimator = 'statAP', score desc, run_id
                """,
                {"collection": collection},
            )
            counts = rows_of(connection, _COUNTS, {"collection": collection})
    return SampleScores(rows, *counts.row(0))
