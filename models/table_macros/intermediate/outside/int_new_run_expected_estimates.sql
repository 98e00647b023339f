{{ config(materialized='own_macro', arguments=['collection', 'except_run', 'expected_scores']) }}
-- The rows of adjusted_scores for a new run by measures that have no bounds, from its expected scores by each
-- (int_new_run_expected_scores). The places by all measures are found at once.

with

{{ scores_of_other_runs() }},

{{ imports('int_pooled_runs', 'int_topic_counts', 'int_pool_depths') }},

expected as (

    select * from query_table(expected_scores)

),

-- one row: what estimates of this pool rest on
pool as (

    select
        count(*) as n_runs,
        count(distinct pooled_runs.organization_key) as n_organizations
    from collections
    inner join pooled_runs using (collection_key)
    where collections.collection_id = collection

),

-- the score as it is, and the score that is expected if the run is pooled
estimates as (

    select
        'nonrelevant' as unjudged,
        estimators.estimator,
        expected.* exclude (is_pooled, true_score),
        case
            when estimators.estimator = 'expected_relevance' and expected.advice_if_pooled <> 'nothing unjudged'
                then expected.if_pooled
            else expected.unpooled_score
        end as clipped_score,
        estimators.estimator = 'expected_relevance' and expected.advice_if_pooled = 'estimated' as is_recommended
    from expected
    cross join (values ('unadjusted'), ('expected_relevance')) as estimators (estimator)
    cross join pool
    where
        estimators.estimator = 'unadjusted'
        or (expected.if_pooled is not null and pool.n_runs > 0)

),

{{ would_be_ranks() }},

named as (

    select
        estimates.collection_id,
        estimates.measure,
        estimates.unjudged,
        estimates.estimator,
        estimates.n_topics,
        cast(topic_counts.n_judged_topics as integer) as n_judged_topics,
        estimates.n_top_documents,
        {{ if_unjudged_is_told('estimates.n_unjudged', 'pool_depths.judging') }} as n_unjudged,
        estimates.unpooled_score as unadjusted_score,
        estimates.clipped_score - estimates.unpooled_score as adjustment,
        estimates.clipped_score as adjusted_score,
        false as is_outside_bounds,
        estimates.clipped_score,
        {% for name in interval_ends() %}
            case estimates.estimator when 'expected_relevance' then estimates.if_pooled_{{ name[3:] }} end
                as {{ name }},
        {% endfor %}
        estimates.unjudged_share,
        estimates.advice,
        case when estimates.advice = 'estimated' then 'expected_relevance' end as if_judged_estimator,
        case when estimates.advice <> 'cannot be told' then estimates.if_judged end as if_judged,
        {% for end in ['low', 'high'] %}
            case estimates.advice when 'estimated' then estimates.if_judged_95_{{ end }} end
                as if_judged_95_{{ end }},
        {% endfor %}
        case
            when estimates.advice = 'estimated'
                then {{ expected_error(
                    'estimates.if_judged_68_low', 'estimates.if_judged_68_high', 'null', 'null', 'null',
                    'estimates.if_judged', '0', '1'
                ) }}
        end as if_judged_expected_error,
        estimates.advice_if_pooled,
        estimates.is_recommended,
        case when pool.n_organizations > 1 then cast(pool.n_runs as integer) end as n_measured_runs,
        case when pool.n_organizations > 1 then cast(pool.n_organizations as integer) end as n_measured_organizations,
        case when pool.n_organizations >= {{ fewest_organizations() }} then {{ largest_unjudged_share() }} end
            as largest_unjudged_share,
        ranked.would_be_rank_among_pooled,
        ranked.n_ranked_pooled,
        ranked.would_be_rank,
        ranked.n_ranked
    from estimates
    cross join pool
    inner join topic_counts using (collection_key)
    inner join pool_depths using (collection_key)
    inner join ranked using (measure, unjudged, estimator)

)

select * from named
