with

topic_scores as (

    select * from {{ ref('int_common_topic_scores') }}

),

collections as (

    select * from {{ ref('int_collections') }}

),

runs as (

    select * from {{ ref('int_runs') }}

),

quantiles as (

    select * from {{ ref('quantiles') }}

),

-- one row per run, treatment and measure: what is known of all topics, and of the common ones
known as (

    select
        topic_scores.collection_key,
        topic_scores.run_key,
        topic_scores.unjudged,
        topic_scores.measure,
        cast(count(*) as integer) as n_topics,
        cast(sum(topic_scores.n_unjudged) as integer) as n_unjudged,
        avg(topic_scores.unpooled_score) as unadjusted_score,
        {{ common_topic_columns('topic_scores') }}
    from topic_scores
    group by
        topic_scores.collection_key,
        topic_scores.run_key,
        topic_scores.unjudged,
        topic_scores.measure
    having count(topic_scores.true_score) > 0

),

-- the same rows with the estimates (Webber & Park 2009, algorithm 2)
estimated as (

    select
        * exclude (sampled_score),
        {{ topic_estimate_columns() }}
    from known

),

-- the same rows, less what is no estimate of anything open
estimates as (

    select
        * replace (
            {{ unless_settled('mixed_score', 'unadjusted_score') }} as mixed_score,
            {{ unless_settled('sampled_score', 'unadjusted_score') }} as sampled_score,
            {{ unless_settled('adjusted_score', 'unadjusted_score') }} as adjusted_score,
            {{ known_standard_error('sampled_standard_error') }} as sampled_standard_error,
            {{ known_standard_error('adjusted_standard_error') }} as adjusted_standard_error,
            {{ verdict_by_error('has_smaller_adjusted_variance', 'adjusted_standard_error') }}
                as has_smaller_adjusted_variance,
            {{ verdict_by_error('is_adjustment_beyond_its_error', 'adjusted_standard_error') }}
                as is_adjustment_beyond_its_error
        )
    from estimated

),

-- the same rows with the intervals of the adjusted score
intervals as (

    select
        estimates.run_key,
        estimates.unjudged,
        estimates.measure,
        {{ interval_columns('estimates.adjusted_score', 'estimates.adjusted_standard_error', 'quantiles') }}
    from estimates
    inner join quantiles on {{ is_quantile_for('quantiles', 'estimates.n_common_topics') }}
    group by
        estimates.run_key,
        estimates.unjudged,
        estimates.measure

),

named as (

    select
        collections.collection_id,
        runs.run_id,
        estimates.measure,
        estimates.unjudged,
        estimates.n_topics,
        estimates.n_common_topics,
        estimates.n_unjudged,
        estimates.unadjusted_score,
        estimates.mixed_score,
        estimates.sampled_score,
        estimates.adjusted_score,
        estimates.sampled_standard_error,
        estimates.adjusted_standard_error,
        estimates.has_smaller_adjusted_variance,
        estimates.is_adjustment_beyond_its_error,
        intervals.t_68_low,
        intervals.t_68_high,
        intervals.t_95_low,
        intervals.t_95_high
    from estimates
    inner join collections on estimates.collection_key = collections.collection_key
    inner join runs on estimates.run_key = runs.run_key
    inner join intervals
        on
            estimates.run_key = intervals.run_key
            and estimates.unjudged = intervals.unjudged
            and estimates.measure = intervals.measure

)

select * from named
