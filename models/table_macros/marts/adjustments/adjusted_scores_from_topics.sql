{{ config(arguments=['collection', 'run_table', 'common_table', 'except_run := null']) }}

with

adjustments as (

    select * from {{ ref('int_new_run_topic_adjustments') }}(collection, run_table, common_table)

),

{{ scores_of_other_runs() }},

-- one row: the number of common topics; or an error
checked as (

    select max(n_common_topics) as n_common_topics
    from adjustments
    having
        case
            when count(*) = 0
                then error(
                    'no topic is common: no topic judged for the run is also judged in '''
                    || collection || ''' and answered by the run'
                )
            else true
        end

),

-- one row per measure: the score if none of the unjudged documents is relevant, and if all are
bounds as (

    select
        measure,
        unadjusted_score as lower_bound,
        unadjusted_score + mean_residual as upper_bound
    from adjustments
    where
        estimator = 'unadjusted'
        and unjudged = 'nonrelevant'

),

-- one row per treatment, measure and estimator
estimates as (

    select
        adjustments.*,
        bounds.lower_bound,
        bounds.upper_bound,
        {{ clipped('adjustments.adjusted_score', 'bounds.lower_bound', 'bounds.upper_bound') }} as clipped_score
    from adjustments
    inner join bounds using (measure)
    -- joined, so that no query can skip the error
    inner join checked using (n_common_topics)

),

{{ would_be_ranks() }},

named as (

    select
        collection as collection_id,
        estimates.measure,
        estimates.unjudged,
        estimates.estimator,
        estimates.n_topics,
        estimates.n_common_topics,
        estimates.n_common_unjudged,
        estimates.n_unjudged,
        estimates.lower_bound,
        estimates.upper_bound,
        estimates.unadjusted_score,
        estimates.adjusted_score - estimates.unadjusted_score as adjustment,
        estimates.adjusted_score,
        {{ is_outside_bounds('estimates.adjusted_score', 'estimates.lower_bound', 'estimates.upper_bound') }}
            as is_outside_bounds,
        estimates.clipped_score,
        ranked.would_be_rank_among_pooled,
        ranked.n_ranked_pooled,
        ranked.would_be_rank,
        ranked.n_ranked,
        estimates.standard_error,
        estimates.is_fallback,
        estimates.has_smaller_adjusted_variance,
        estimates.is_adjustment_beyond_its_error,
        estimates.normal_68_low,
        estimates.normal_68_high,
        estimates.normal_95_low,
        estimates.normal_95_high,
        estimates.t_68_low,
        estimates.t_68_high,
        estimates.t_95_low,
        estimates.t_95_high
    from estimates
    inner join ranked using (unjudged, measure, estimator)

)

select * from named
