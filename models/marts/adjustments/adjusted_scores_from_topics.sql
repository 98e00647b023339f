{{
    config(
        materialized='table_macro',
        arguments=['collection', 'run_table', 'common_table', 'except_run := null'],
        contract={'enforced': false},
    )
}}
-- The arguments are names like those of columns:
-- noqa: disable=RF03

with

collections as (

    select * from {{ ref('int_collections') }}

),

judged as (

    select * from {{ ref('int_new_run_judgements') }}(collection, run_table, common_table)

),

topic_scores as (

    select * from {{ ref('int_new_run_topic_scores') }}(collection, run_table, common_table)

),

bounds as (

    select * from {{ ref('int_new_run_bounds') }}(collection, run_table)

),

experiments as (

    select * from {{ ref('int_experiments') }}
    where pool_key = 0

),

quantiles as (

    select * from {{ ref('quantiles') }}

),

runs as (

    select * from {{ ref('int_runs') }}

),

run_scores as (

    select * from {{ ref('int_run_scores') }}
    where
        judgement_set = 'full'
        and unjudged = 'nonrelevant'

),

-- one row per treatment and measure: what is known of all topics, and of the common ones; or an error
summed_up as (

    select
        topic_scores.unjudged,
        topic_scores.measure,
        cast(count(*) as integer) as n_topics,
        avg(topic_scores.unpooled_score) as unadjusted_score,
        {{ common_topic_columns('topic_scores') }}
    from topic_scores
    group by
        topic_scores.unjudged,
        topic_scores.measure
    having
        case
            when count(topic_scores.true_score) = 0
                then error(
                    'no topic is common: none of those judged for the run is judged in '''
                    || collection || ''' and answered by the run'
                )
            else true
        end

),

-- one row per measure: documents of the common topics, down to its cutoff, that are unjudged even so
left_open as (

    select
        experiments.measure,
        cast(count(*) filter (where judged.is_relevant_by_both is null) as integer) as n_common_unjudged
    from judged
    inner join experiments on judged.rank <= experiments.cutoff
    where judged.is_common
    group by experiments.measure

),

-- the same rows with what is left open
known as (

    select
        summed_up.*,
        left_open.n_common_unjudged,
        bounds.n_unjudged,
        bounds.lower_bound,
        bounds.upper_bound
    from summed_up
    inner join left_open on summed_up.measure = left_open.measure
    inner join bounds on summed_up.measure = bounds.measure

),

-- the same rows with the estimates (Webber & Park 2009, algorithm 2)
estimated as (

    select
        * exclude (sampled_score),
        {{ topic_estimate_columns() }}
    from known

),

-- one row per treatment, measure and estimator
estimates as (

    {% for estimator, score, standard_error in [
        ('unadjusted', 'unadjusted_score', 'null'),
        ('mixed', 'mixed_score', 'null'),
        ('sampled', 'sampled_score', 'sampled_standard_error'),
        ('webber_park_topics', 'adjusted_score', 'adjusted_standard_error'),
    ] %}
        select
            unjudged,
            measure,
            '{{ estimator }}' as estimator,
            n_topics,
            n_common_topics,
            n_common_unjudged,
            n_unjudged,
            lower_bound,
            upper_bound,
            unadjusted_score,
            {{ unless_settled(score, 'unadjusted_score') }} as adjusted_score,
            {{ known_standard_error(standard_error) }} as standard_error,
            {% if estimator == 'webber_park_topics' %}
                {{ verdict_by_error('has_smaller_adjusted_variance', standard_error) }}
                    as has_smaller_adjusted_variance,
                {{ verdict_by_error('is_adjustment_beyond_its_error', standard_error) }}
                    as is_adjustment_beyond_its_error
            {% else %}
                null as has_smaller_adjusted_variance,
                null as is_adjustment_beyond_its_error
            {% endif %}
        from estimated
        {{ 'union all' if not loop.last }}
    {% endfor %}

),

-- the same rows with intervals
intervals as (

    select
        estimates.unjudged,
        estimates.measure,
        estimates.estimator,
        {{ interval_columns('estimates.adjusted_score', 'estimates.standard_error', 'quantiles') }}
    from estimates
    inner join quantiles on {{ is_quantile_for('quantiles', 'estimates.n_common_topics') }}
    group by
        estimates.unjudged,
        estimates.measure,
        estimates.estimator

),

-- the other runs' scores, as they are
other_scores as (

    select
        run_scores.measure,
        run_scores.score
    from collections
    inner join run_scores on collections.collection_key = run_scores.collection_key
    inner join runs on run_scores.run_key = runs.run_key
    where
        collections.collection_id = collection
        and run_scores.score is not null
        and runs.run_id is distinct from except_run

),

-- the same rows as estimates, with the place that each would have among the other runs
ranked as (

    select
        estimates.unjudged,
        estimates.measure,
        estimates.estimator,
        {{ would_be_rank_columns('estimates.adjusted_score', 'other_scores.score') }}
    from estimates
    left join other_scores on estimates.measure = other_scores.measure
    group by
        estimates.unjudged,
        estimates.measure,
        estimates.estimator

),

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
        ranked.would_be_rank,
        ranked.n_ranked,
        estimates.standard_error,
        estimates.has_smaller_adjusted_variance,
        estimates.is_adjustment_beyond_its_error,
        intervals.* exclude (unjudged, measure, estimator)
    from estimates
    inner join ranked
        on
            estimates.unjudged = ranked.unjudged
            and estimates.measure = ranked.measure
            and estimates.estimator = ranked.estimator
    left join intervals
        on
            estimates.unjudged = intervals.unjudged
            and estimates.measure = intervals.measure
            and estimates.estimator = intervals.estimator

)

select * from named
