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

-- one row per run, treatment and measure: what is known of all topics
all_topics as (

    select
        collection_key,
        run_key,
        unjudged,
        measure,
        cast(count(*) as integer) as n_topics,
        avg(unpooled_score) as unadjusted_score
    from topic_scores
    group by
        collection_key,
        run_key,
        unjudged,
        measure

),

-- one row per run, treatment and measure: what is known of the common topics
common as (

    select
        topic_scores.run_key,
        topic_scores.unjudged,
        topic_scores.measure,
        {{ common_topic_columns('topic_scores') }}
    from topic_scores
    where topic_scores.true_score is not null
    group by
        topic_scores.run_key,
        topic_scores.unjudged,
        topic_scores.measure

),

-- the same rows with what is known of all
known as (

    select
        common.*,
        all_topics.collection_key,
        all_topics.n_topics,
        all_topics.unadjusted_score
    from common
    inner join all_topics
        on
            common.run_key = all_topics.run_key
            and common.unjudged = all_topics.unjudged
            and common.measure = all_topics.measure

),

-- the same rows with the estimates (Webber & Park 2009, algorithm 2)
estimated as (

    select
        * exclude (sampled_score),
        {{ topic_estimate_columns() }}
    from known

),

-- the same rows; an error of 0 is none: topics that happen to be alike say nothing about the others
estimates as (

    select
        * replace (
            case when {{ comparable('sampled_standard_error') }} > 0 then sampled_standard_error end
                as sampled_standard_error,
            case when {{ comparable('adjusted_standard_error') }} > 0 then adjusted_standard_error end
                as adjusted_standard_error
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
        estimates.unadjusted_score,
        estimates.mixed_score,
        estimates.sampled_score,
        estimates.adjusted_score,
        estimates.sampled_standard_error,
        estimates.adjusted_standard_error,
        case when estimates.adjusted_standard_error is not null then estimates.has_smaller_adjusted_variance end
            as has_smaller_adjusted_variance,
        case when estimates.adjusted_standard_error is not null then estimates.is_adjustment_beyond_its_error end
            as is_adjustment_beyond_its_error,
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
