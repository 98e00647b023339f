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

-- one row per treatment and measure: what is known of all topics
all_topics as (

    select
        unjudged,
        measure,
        cast(count(*) as integer) as n_topics,
        avg(unpooled_score) as unadjusted_score
    from topic_scores
    group by
        unjudged,
        measure

),

-- one row per treatment and measure: what is known of the common topics
common as (

    select
        topic_scores.unjudged,
        topic_scores.measure,
        {{ common_topic_columns('topic_scores') }}
    from topic_scores
    where topic_scores.true_score is not null
    group by
        topic_scores.unjudged,
        topic_scores.measure

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

-- the same rows as of common topics, with what is known of all
known as (

    select
        common.*,
        all_topics.n_topics,
        all_topics.unadjusted_score,
        left_open.n_common_unjudged
    from common
    inner join all_topics
        on
            common.unjudged = all_topics.unjudged
            and common.measure = all_topics.measure
    inner join left_open on common.measure = left_open.measure

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
            unadjusted_score,
            {{ score }} as adjusted_score,
            -- none where it is 0: topics that happen to be alike say nothing about the others
            case when {{ comparable(standard_error) }} > 0 then {{ standard_error }} end as standard_error,
            {% if estimator == 'webber_park_topics' %}
                case when {{ comparable(standard_error) }} > 0 then has_smaller_adjusted_variance end
                    as has_smaller_adjusted_variance,
                case when {{ comparable(standard_error) }} > 0 then is_adjustment_beyond_its_error end
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
        estimates.unadjusted_score,
        estimates.adjusted_score - estimates.unadjusted_score as adjustment,
        estimates.adjusted_score,
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
