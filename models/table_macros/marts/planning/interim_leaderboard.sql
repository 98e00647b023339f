{{ config(arguments=['collection', 'measure']) }}

with

{{ imports('dim_runs where collection_id = collection') }},

-- one row per run
expected_scores as (

    select * from {{ ref('expected_scores') }}(collection, measure)

),

-- one row per run of which something is told: an estimate, or the score where nothing is unjudged
told as (

    select *
    from expected_scores
    where advice <> 'cannot be told'

),

-- one row per run of which something is told: the runs that are surely above it, and surely below
places as (

    select
        one.run_id,
        count_if({{ comparable('one.if_judged_95_high') }} < {{ comparable('other.if_judged_95_low') }}) as n_above,
        count_if({{ comparable('one.if_judged_95_low') }} > {{ comparable('other.if_judged_95_high') }}) as n_below,
        count_if({{ comparable('one.if_judged') }} < {{ comparable('other.if_judged') }}) as n_better,
        count(*) as n_told
    from told as one
    cross join told as other
    group by one.run_id

),

-- one row per run that answers a judged topic
interim as (

    select
        expected_scores.collection_id,
        expected_scores.measure,
        expected_scores.run_id,
        runs.organization,
        expected_scores.is_pooled,
        expected_scores.unjudged_share,
        expected_scores.advice,
        coalesce(expected_scores.true_score, expected_scores.unpooled_score) as score,
        told.if_judged,
        told.if_judged_95_low,
        told.if_judged_95_high,
        cast(1 + places.n_better as integer) as rank,
        cast(1 + places.n_above as integer) as best_rank,
        cast(places.n_told - places.n_below as integer) as worst_rank
    from expected_scores
    inner join runs using (run_id)
    left join told using (run_id)
    left join places using (run_id)

)

select * from interim
