with

{{ imports('int_runs', 'int_run_topics') }},

run_scores as (

    select * from {{ ref('int_run_scores') }}
    where
        unjudged = 'nonrelevant'
        and measure = '{{ var("best_manual_measure") }}'

),

-- runs that answer a judged topic; other runs have no score, and contribute nothing to a pool
answering_runs as (

    select runs.*
    from runs
    where runs.run_key in (select run_topics.run_key from run_topics)

),

-- runs of which any may be the unpooled one, and any may be pooled
random_runs as (

    select
        collection_key,
        'random' as population,
        run_key,
        run_id,
        true as may_be_unpooled,
        true as may_be_pooled
    from answering_runs

),

-- manual runs with their place by score; ties are broken by run id descending
placed_manual_runs as (

    select
        answering_runs.collection_key,
        answering_runs.run_key,
        answering_runs.run_id,
        row_number() over (
            partition by answering_runs.collection_key
            order by {{ comparable('run_scores.score') }} desc, answering_runs.run_id desc
        ) as place
    from answering_runs
    inner join run_scores using (run_key)
    where answering_runs.run_type = 'manual'

),

-- the best manual runs, which may be the unpooled run, and the automatic runs, which may be pooled
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
    from answering_runs
    where run_type = 'automatic'

),

populations as (

    select * from random_runs
    union all
    select * from manual_runs

)

select * from populations
