{{ config(materialized='table') }}

with

{{ imports('int_pooled_runs', 'int_runs', 'int_pool_measures') }},

answered_topics as (

    select * from {{ ref('int_scores') }}
    where
        {{ is_at_hand() }}
        and unjudged = 'nonrelevant'
        and is_answered

),

-- every pooled run
all_runs as (

    select
        collection_key,
        0 as pool_key,
        run_key,
        organization_key
    from pooled_runs

),

-- one row per run, topic that it answers, and measure
topic_scores as (

    {{ unpivot_measures('answered_topics', var('bias_measures')) }}

),

-- one row per run and measure
run_scores as (

    select
        run_key,
        measure,
        avg(score) as score
    from topic_scores
    group by all

),

-- pooled runs with their place by each measure; ties are broken by run id descending
placed as (

    select
        pooled_runs.collection_key,
        pool_measures.pool_key,
        pooled_runs.run_key,
        pooled_runs.organization_key,
        row_number() over (
            partition by pooled_runs.collection_key, pool_measures.pool_key
            order by {{ comparable('run_scores.score') }} desc, runs.run_id desc
        ) as place,
        count(*) over (partition by pooled_runs.collection_key, pool_measures.pool_key) as n_runs
    from pooled_runs
    inner join runs on pooled_runs.run_key = runs.run_key
    inner join run_scores on pooled_runs.run_key = run_scores.run_key
    inner join pool_measures
        on
            run_scores.measure = pool_measures.measure
            and pool_measures.subset = 'top_75'

),

-- the best of them: the share of the pooled runs, rounded half up
top_runs as (

    select
        collection_key,
        pool_key,
        run_key,
        organization_key
    from placed
    where place <= floor({{ var('top_subset_share') }} * n_runs + 0.5)

),

pool_runs as (

    select * from all_runs
    union all
    select * from top_runs

)

select * from pool_runs
