{{ config(materialized='table') }}

with

{{ imports(
    'int_runs', 'int_rank_steps', 'int_depth_evidence where probability > 0.5', 'int_topic_pools where source is not null',
    'int_listed_pools', voters='int_depth_voters where may_have_own_depth'
) }},

-- one row per run that may have a depth of its own and answers a judged topic of a collection with one pool: the last
-- rank, where the qrels hold every document
answering as (

    select
        rank_steps.collection_key,
        rank_steps.run_key,
        case when sum(rank_steps.n_in_qrels) = sum(rank_steps.n_documents) then max(rank_steps.pooling_rank) end
            as last_rank
    from rank_steps
    inner join voters using (run_key)
    anti join topic_pools on rank_steps.collection_key = topic_pools.collection_key
    group by all

),

-- the same rows, with the depth that the qrels show of the run alone, and whether it is another than that of the
-- whole collection
shown as (

    select
        answering.collection_key,
        answering.run_key,
        answering.last_rank,
        of_run.depth,
        of_run.depth <> coalesce(of_collection.depth, 0) as is_other,
        of_run.probability
    from answering
    left join depth_evidence as of_run on answering.run_key = of_run.of_run_key
    left join depth_evidence as of_collection
        on
            answering.collection_key = of_collection.collection_key
            and of_collection.of_run_key is null

),

-- one row per collection whose runs have no depth in common: at least two runs, and more than a tenth of those that
-- show a depth, show another. Own depths are used if most runs that lack a document in the qrels show one.
differing as (

    select
        collection_key,
        2 * count(depth) > count(*) filter (where last_rank is null) as is_shown_by_most
    from shown
    group by collection_key
    having
        count(*) filter (where is_other) > 1
        and 10 * count(*) filter (where is_other) > count(depth)

),

-- one row per run without a common depth
own_depths as (

    select
        collection_key,
        run_key,
        declared_pool_depth as pool_depth,
        true as is_declared,
        null as confidence
    from runs
    anti join listed_pools using (collection_key)
    where declared_pool_depth is not null
    union all
    select
        shown.collection_key,
        shown.run_key,
        cast(case when differing.is_shown_by_most then coalesce(shown.depth, shown.last_rank) end as integer)
            as pool_depth,
        false as is_declared,
        cast(
            case
                when not differing.is_shown_by_most then null
                when shown.last_rank is null then shown.probability
                else 1
            end as double
        ) as confidence
    from shown
    inner join differing using (collection_key)

)

select * from own_depths
