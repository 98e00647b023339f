{{ config(materialized='table', meta={'rule': 'by_pool'}) }}

with

pooled_runs as (

    select * from {{ ref('int_pooled_runs') }}
    where {{ is_at_hand() }}

),

runs as (

    select * from {{ ref('int_runs') }}
    where {{ is_at_hand() }}

),

run_scores as (

    select * from {{ ref('int_run_scores') }}
    where
        {{ is_at_hand() }}
        and judgement_set = 'full'
        and unjudged = 'nonrelevant'

),

experiments as (

    select * from {{ ref('int_experiments') }}

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

-- pooled runs with their place by each measure, ties by run id descending
placed as (

    select
        pooled_runs.collection_key,
        experiments.pool_key,
        pooled_runs.run_key,
        pooled_runs.organization_key,
        row_number() over (
            partition by pooled_runs.collection_key, experiments.pool_key
            order by {{ comparable('run_scores.score') }} desc, runs.run_id desc
        ) as place,
        count(*) over (partition by pooled_runs.collection_key, experiments.pool_key) as n_runs
    from pooled_runs
    inner join runs on pooled_runs.run_key = runs.run_key
    inner join run_scores on pooled_runs.run_key = run_scores.run_key
    inner join experiments
        on
            run_scores.measure = experiments.measure
            and experiments.subset = 'top_75'

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
