with

{{ imports(
    'dim_measures',
    topic_scores='fct_topic_scores where ' ~ is_named_at_hand(),
    run_scores='fct_run_scores where ' ~ is_named_at_hand()
) }},

-- one row per measure; the scores of a measure without a bound are finite
bounds as (

    select
        measure,
        coalesce(lower_bound, -{{ highest_number() }}) as lowest,
        coalesce(upper_bound, {{ highest_number() }}) as highest
    from measures

),

-- one row per collection
of_topics as (

    select
        collection_id,
        {{ figures(promised(
            'topic_scores_within_bounds', is_within('lowest', 'score', 'highest'),
            naming=['run_id', 'topic_id', 'judgement_set', 'unjudged', 'measure'], seen=['score']
        )) }}
    from topic_scores
    left join bounds using (measure)
    group by collection_id

),

-- one row per collection. One of the two means may be null.
of_runs as (

    select
        collection_id,
        {{ figures(promised(
            'run_scores_within_bounds',
            is_within('lowest', 'least(score, score_all_topics)', 'highest') ~ ' and '
            ~ is_within('lowest', 'greatest(score, score_all_topics)', 'highest'),
            naming=['run_id', 'judgement_set', 'unjudged', 'measure'], seen=['score', 'score_all_topics']
        )) }}
    from run_scores
    left join bounds using (measure)
    group by collection_id

),

-- the rows of both
figures as (

    select * from of_topics
    union all
    select * from of_runs

)

select * from figures
