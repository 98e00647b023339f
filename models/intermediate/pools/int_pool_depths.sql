{{ config(materialized='table', meta={'rule': 'pool_definition'}) }}

with

collections as (

    select * from {{ ref('int_collections') }}
    where {{ is_at_hand() }}

),

rank_steps as (

    select * from {{ ref('int_rank_steps') }}
    where {{ is_at_hand() }}

),

voters as (

    select * from {{ ref('int_depth_voters') }}
    where {{ is_at_hand() }}

),

depth_evidence as (

    select * from {{ ref('int_depth_evidence') }}
    where {{ is_at_hand() }}

),

-- one row per collection with runs: whether anyone said which runs were pooled
declarations as (

    select
        collection_key,
        any_value(has_declared_runs) as has_declared_runs
    from voters
    group by collection_key

),

-- one row per collection with voters: whether the qrels lack a document of any of them, so that they tell a depth
told as (

    select
        rank_steps.collection_key,
        sum(rank_steps.n_in_qrels) < sum(rank_steps.n_documents) as is_depth_told
    from rank_steps
    inner join voters on rank_steps.run_key = voters.run_key
    where voters.has_vote
    group by rank_steps.collection_key

),

-- one row per collection where a list goes on after a rank down to which it looks pooled: the probability that
-- the pool has no edge
edges as (

    select
        collection_key,
        {{ comparable('1 - sum(probability)') }} as probability_of_none
    from depth_evidence
    group by collection_key

),

-- one row per collection: the depth that is more probable than all else together
inferred as (

    select * from depth_evidence
    where probability > 0.5

),

depths as (

    select
        collections.collection_key,
        declarations.has_declared_runs,
        coalesce(told.is_depth_told, false) as is_depth_told,
        inferred.depth as inferred_depth,
        inferred.share_above,
        inferred.share_below,
        case
            when told.is_depth_told then coalesce(inferred.probability, edges.probability_of_none, 1)
        end as inferred_depth_confidence,
        cast(coalesce(collections.declared_pool_depth, inferred.depth) as integer) as pool_depth,
        case
            when collections.declared_pool_depth is not null then 'declared'
            when inferred.depth is not null then 'inferred'
            else 'unknown'
        end as pool_depth_source
    from collections
    inner join declarations on collections.collection_key = declarations.collection_key
    left join told on collections.collection_key = told.collection_key
    left join edges on collections.collection_key = edges.collection_key
    left join inferred on collections.collection_key = inferred.collection_key

)

select * from depths
