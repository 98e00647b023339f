with

runs as (

    select * from {{ ref('int_runs') }}

),

run_scores as (

    select * from {{ ref('int_run_scores') }}
    where
        judgement_set = 'full'
        and unjudged = 'nonrelevant'
        and measure = '{{ var("best_manual_measure") }}'

),

-- runs of which any may be the unpooled one, and any pooled
random_runs as (

    select
        collection_key,
        'random' as population,
        run_key,
        run_id,
        true as may_be_unpooled,
        true as may_be_pooled
    from runs

),

-- manual runs with their place by score, ties by run id descending
placed_manual_runs as (

    select
        runs.collection_key,
        runs.run_key,
        runs.run_id,
        row_number() over (
            partition by runs.collection_key
            order by {{ comparable('run_scores.score') }} desc nulls last, runs.run_id desc
        ) as place
    from runs
    inner join run_scores on runs.run_key = run_scores.run_key
    where runs.run_type = 'manual'

),

-- the best manual runs, which may be the unpooled one, and the automatic runs, which may be pooled
manual_runs as (

    select
        collection_key,
        'manual' as population,
        run_key,
        run_id,
        true as may_be_unpooled,
        false as may_be_pooled
    from placed_manual_runs
    where place <= {{ var('best_manual_runs') }}
    union all
    select
        collection_key,
        'manual' as population,
        run_key,
        run_id,
        false as may_be_unpooled,
        true as may_be_pooled
    from runs
    where run_type = 'automatic'

),

populations as (

    select * from random_runs
    union all
    select * from manual_runs

)

select * from populations
