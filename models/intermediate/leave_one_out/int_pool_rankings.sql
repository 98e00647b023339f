{{ config(materialized='table') }}

with

{{ imports('int_pool_runs', 'int_run_topics', 'int_pool_measures', 'int_candidates', 'int_contributions') }},

-- not materialized, although it is read several times: only a few of its ranks are read each time
rankings as not materialized (

    select * from {{ ref('int_rankings') }}
    where {{ is_at_hand() }}

),

pool_documents as (

    select * from {{ ref('int_pool_documents') }}
    where
        {{ is_at_hand() }}
        and is_relevant is not null

),

-- one row per pool: the deepest cutoff of its measures
pools as (

    select
        pool_key,
        max(cutoff) as deepest_cutoff
    from pool_measures
    group by pool_key

),

-- the documents that any pool has judged, among which documents at deep ranks are looked up. Materialized, as
-- below.
judged_rankings as materialized (

    select rankings.*
    from rankings
    semi join pool_documents
        on
            rankings.collection_key = pool_documents.collection_key
            and rankings.topic_key = pool_documents.topic_key
            and rankings.doc_key = pool_documents.doc_key

),

-- one row per run of a pool and topic that it answers, with the deepest cutoff of the measures
lists as (

    select
        pool_runs.collection_key,
        pool_runs.pool_key,
        pool_runs.run_key,
        pool_runs.organization_key,
        run_topics.topic_key,
        pools.deepest_cutoff
    from pool_runs
    inner join pools on pool_runs.pool_key = pools.pool_key
    inner join run_topics
        on
            pool_runs.collection_key = run_topics.collection_key
            and pool_runs.run_key = run_topics.run_key

),

-- one row per pool and organization that may leave it
leaving_organizations as (

    select distinct
        collection_key,
        pool_key,
        organization_key
    from candidates
    where is_member

),

{% set bounds = [1, 2, 4, 16, none] %}
{{ ranking_pieces(bounds) }}

-- lists that lose no document down to the cutoff, whoever leaves, so that no document moves
settled as (

    select
        piece_1.*,
        piece_1.rank as condensed_rank
    from piece_1
    semi join full_1
        on
            piece_1.pool_key = full_1.pool_key
            and piece_1.run_key = full_1.run_key
            and piece_1.topic_key = full_1.topic_key

),

-- the documents of the other lists
unsettled as (

    select piece_1.*
    from piece_1
    anti join full_1
        on
            piece_1.pool_key = full_1.pool_key
            and piece_1.run_key = full_1.run_key
            and piece_1.topic_key = full_1.topic_key
    {% for bound in bounds[1:] %}
        union all
        select * from piece_{{ loop.index + 1 }}
    {% endfor %}

),

-- the same rows, with the number of documents down to each that stay judged when the run leaves the pool
condensed as (

    select
        *,
        cast(
            count(*) filter (where {{ stays_judged('sole_run_key', 'run_key') }}) over (
                partition by pool_key, run_key, topic_key
                order by rank
            ) as integer
        ) as condensed_rank
    from unsettled

),

pool_rankings as (

    select * from settled
    union all
    select * from condensed

)

select * exclude (deepest_cutoff, is_firm) from pool_rankings
