{{ config(arguments=['collection', 'given']) }}
-- What is said of every pooled run when its organization has left the pool, beside its score in the whole pool. `given`
-- has estimates by anybody: estimator, run_id, measure, estimate, ci_95_low and ci_95_high.

with

{{ imports('int_collections', 'int_runs', 'fct_adjusted_scores', 'dim_recommended_estimators') }},

adjusted as (

    select
        collections.collection_key,
        runs.run_key,
        adjusted_scores.*,
        recommended_estimators.estimator as recommended
    from collections
    inner join adjusted_scores using (collection_id)
    inner join runs using (collection_key, run_id)
    left join recommended_estimators using (collection_id, measure)
    where
        collections.collection_id = collection
        and adjusted_scores.level = 'organization'
        and adjusted_scores.subset = 'all'

),

-- one row per run and measure; the whole pool leaves nothing unknown
scores as (

    select
        collection_key,
        run_key,
        run_id,
        true as is_pooled,
        measure,
        true_score as truth_low,
        true_score as truth_high,
        upper_bound - lower_bound as unjudged_weight,
        0 as unknown_weight
    from adjusted
    where
        unjudged = 'nonrelevant'
        and estimator = 'unadjusted'

),

-- one row per run, measure and estimator that has an estimate
stated as (

    {% for name, estimator, unjudged, estimate in [
        ('unadjusted', "'unadjusted'", 'nonrelevant', 'adjusted_score'),
        ('condensed', "'unadjusted'", 'condensed', 'adjusted_score'),
        ('webber_park', "'webber_park_systems'", 'nonrelevant', 'clipped_score'),
        ('if_pooled', 'recommended', 'nonrelevant', 'clipped_score'),
    ] %}
        select
            run_id,
            measure,
            '{{ name }}' as estimator,
            {{ estimate }} as estimate,
            ci_95_low,
            ci_95_high
        from adjusted
        where
            estimator = {{ estimator }}
            and unjudged = '{{ unjudged }}'
        {{ 'union all' if not loop.last }}
    {% endfor %}

),

{{ beside_truth() }}

select * from compared
