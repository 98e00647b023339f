{{ config(materialized='table', meta={'rule': 'pool_definition'}) }}

with

runs as (

    select * from {{ ref('int_runs') }}
    where {{ is_at_hand() }}

),

pool_depths as (

    select * from {{ ref('int_pool_depths') }}
    where {{ is_at_hand() }}

),

tolerated_gaps as (

    select * from {{ ref('int_tolerated_gaps') }}
    where {{ is_at_hand() }}

),

pool_edges as (

    select * from {{ ref('int_pool_edges') }}
    where {{ is_at_hand() }}

),

-- one row per run that answers a judged topic: whether it looks pooled, and the number of documents down to the
-- pool depth that the qrels lack in its worst topic
covered as (

    select
        collection_key,
        run_key,
        {{ is_judged_enough('sum(n_within_in_qrels)', 'sum(n_within)') }} as looks_pooled,
        max(n_within - n_within_in_qrels) as n_gaps
    from pool_edges
    group by
        collection_key,
        run_key

),

-- runs that were pooled: the declared runs where any is declared, and otherwise the runs that the qrels cover,
-- without runs that were made when the pool was already judged
pooled as (

    select
        runs.collection_key,
        runs.run_key,
        runs.organization_key,
        pool_depths.pool_depth,
        pool_depths.has_declared_runs as is_declared,
        runs.sha256
    from runs
    inner join pool_depths on runs.collection_key = pool_depths.collection_key
    inner join tolerated_gaps on runs.collection_key = tolerated_gaps.collection_key
    inner join covered on runs.run_key = covered.run_key
    where
        case
            when pool_depths.has_declared_runs then coalesce(runs.is_declared_pooled, false)
            else
                runs.is_after_pool is not true
                and covered.looks_pooled
                and covered.n_gaps <= tolerated_gaps.n_tolerated_gaps
        end

)

select * from pooled
