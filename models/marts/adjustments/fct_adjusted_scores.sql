with

{{ imports('int_adjusted_scores', 'int_collections', 'int_runs', 'int_pool_measures') }},

named as (

    select
        collections.collection_id,
        runs.run_id,
        adjusted_scores.level,
        pool_measures.subset,
        adjusted_scores.measure,
        adjusted_scores.unjudged,
        adjusted_scores.estimator,
        adjusted_scores.true_score,
        adjusted_scores.unpooled_score,
        adjusted_scores.adjustment,
        adjusted_scores.adjusted_score,
        adjusted_scores.error,
        adjusted_scores.lower_bound,
        adjusted_scores.upper_bound,
        {{ is_outside_bounds(
            'adjusted_scores.adjusted_score', 'adjusted_scores.lower_bound', 'adjusted_scores.upper_bound'
        ) }} as is_outside_bounds,
        adjusted_scores.clipped_score,
        {% for name in interval_ends() %}
            adjusted_scores.{{ name }},
        {% endfor %}
        adjusted_scores.beyond_pool_depth
    from adjusted_scores
    inner join pool_measures using (pool_key, measure)
    inner join collections using (collection_key)
    inner join runs using (run_key)

)

select * from named
