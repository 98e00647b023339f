with

{{ imports(
    'int_run_scores', 'int_topic_scores', 'int_left_out_run_scores', 'int_pool_parts', 'int_topic_pools', 'int_measures',
    limits='unique_contribution_limits'
) }},

-- one row: the AP from which on a loss in per cent says something about the judgements
lowest as (

    select any_value(value) as least_average_precision
    from limits
    where name = 'least_average_precision'

),

-- one row per run that has an AP
average_precisions as (

    select
        run_key,
        score as average_precision
    from run_scores
    where
        measure = 'AP'
        and unjudged = 'nonrelevant'

),

-- collections whose runs were pooled on some of the judged topics
partly_pooled as (

    select collection_key from pool_parts
    where n_pooled_topics < n_topics

),

-- one row per run, treatment and measure: the score over the pooled topics
full_scores as (

    select
        run_key,
        unjudged,
        measure,
        score
    from run_scores
    anti join partly_pooled using (collection_key)
    union all by name
    select
        topic_scores.run_key,
        topic_scores.unjudged,
        topic_scores.measure,
        {{ over_topics('topic_scores.score', 'measures.aggregation', 'topic_scores.is_answered') }} as score
    from topic_scores
    semi join partly_pooled using (collection_key)
    inner join topic_pools using (collection_key, topic_key)
    inner join measures using (measure)
    where {{ is_pooled_topic('topic_pools') }}
    group by all

),

-- one row per run, treatment, measure and judgement set that lacks judgements: the score, which is not known without a
-- pool depth
known as (

    select
        left_out_run_scores.* replace (
            {{ if_pool_is_known('left_out_run_scores.score', 'pool_parts') }} as score
        )
    from left_out_run_scores
    inner join pool_parts using (collection_key)

),

-- the same rows with the loss of the score
changes as (

    select
        known.collection_key,
        known.run_key,
        known.judgement_set,
        known.unjudged,
        known.measure,
        full_scores.score as full_score,
        known.score,
        {{ signed('100 * (full_scores.score - known.score) / nullif(full_scores.score, 0)') }}
            as loss_in_percent_of_full_score,
        average_precisions.average_precision >= lowest.least_average_precision as is_above_floor
    from known
    inner join full_scores using (run_key, unjudged, measure)
    left join average_precisions using (run_key)
    cross join lowest

)

select * from changes
