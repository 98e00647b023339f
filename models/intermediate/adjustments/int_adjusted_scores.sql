{{ config(materialized='table') }}

with

{{ imports(
    'int_adjustments', 'int_candidates', 'int_candidate_scores', 'int_candidate_bounds', 'int_pool_measures',
    'int_pooled_runs'
) }},

-- one row per candidate, level, treatment, measure and estimator: the score that the adjustment starts from, its
-- bounds, and the true score
adjusted as (

    select
        adjustments.collection_key,
        adjustments.pool_key,
        adjustments.run_key,
        adjustments.level,
        adjustments.measure,
        adjustments.unjudged,
        adjustments.estimator,
        truth.score as true_score,
        unpooled.score as unpooled_score,
        adjustments.adjustment,
        unpooled.score + adjustments.adjustment as adjusted_score,
        unpooled.score + adjustments.adjustment - truth.score as error,
        candidate_bounds.lower_bound,
        candidate_bounds.upper_bound,
        {{ clipped(
            'unpooled.score + adjustments.adjustment', 'candidate_bounds.lower_bound', 'candidate_bounds.upper_bound'
        ) }} as clipped_score,
        clipped_score - truth.score as clipped_error,
        pool_measures.cutoff > pooled_runs.pool_depth as beyond_pool_depth
        {%- for name in interval_ends() %},
            unpooled.score + adjustments.{{ name }} as {{ name }}
        {%- endfor %}
    from adjustments
    inner join pool_measures using (pool_key, measure)
    inner join pooled_runs using (collection_key, run_key)
    inner join candidate_scores as truth
        on
            adjustments.collection_key = truth.collection_key
            and adjustments.pool_key = truth.pool_key
            and adjustments.run_key = truth.run_key
            and adjustments.level = truth.level
            and adjustments.measure = truth.measure
            and truth.judged_by = 'truth'
    inner join candidate_scores as unpooled
        on
            adjustments.collection_key = unpooled.collection_key
            and adjustments.pool_key = unpooled.pool_key
            and adjustments.run_key = unpooled.run_key
            and adjustments.level = unpooled.level
            and adjustments.measure = unpooled.measure
            and adjustments.unjudged = unpooled.unjudged
            and unpooled.judged_by = 'pool'
    inner join candidate_bounds
        on
            adjustments.collection_key = candidate_bounds.collection_key
            and adjustments.pool_key = candidate_bounds.pool_key
            and adjustments.run_key = candidate_bounds.run_key
            and adjustments.level = candidate_bounds.level
            and adjustments.measure = candidate_bounds.measure

)

select * from adjusted
