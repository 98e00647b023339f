{{ config(materialized='table') }}

with

{{ imports('int_pool_rankings', 'int_pool_measures', 'int_measure_weights') }},

-- the relevant documents that count differently when the run is withdrawn: it alone contributed them, or they move
changed as (

    select
        *,
        {{ stays_judged('sole_run_key', 'run_key') }} as is_staying
    from pool_rankings
    where
        is_relevant
        and (
            not {{ stays_judged('sole_run_key', 'run_key') }}
            or rank <> condensed_rank
        )

),

-- the ranks at which they count before the withdrawal and, with the opposite sign, the ranks after it
signed as (

    select
        collection_key,
        pool_key,
        run_key,
        topic_key,
        'nonrelevant' as unjudged,
        rank,
        1 as sign
    from changed
    where not is_staying
    union all
    select
        collection_key,
        pool_key,
        run_key,
        topic_key,
        'condensed' as unjudged,
        rank,
        1 as sign
    from changed
    union all
    select
        collection_key,
        pool_key,
        run_key,
        topic_key,
        'condensed' as unjudged,
        condensed_rank as rank,
        -1 as sign
    from changed
    where is_staying

),

-- one row per pool, run, topic, treatment and measure with a relevant document: the loss of the run when it is
-- withdrawn from the pool
losses as (

    select
        signed.collection_key,
        signed.pool_key,
        signed.run_key,
        signed.topic_key,
        signed.unjudged,
        measure_weights.measure,
        sum(signed.sign * measure_weights.weight) as loss
    from signed
    inner join measure_weights using (rank)
    inner join pool_measures using (pool_key, measure)
    group by all

)

select * from losses
