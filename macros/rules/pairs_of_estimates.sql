{#-
    Every pair of runs of one pool by one estimator: their order by true scores, and the order of the estimate of the
    first among the true scores. The CTEs `rounded` and `pairs` read the CTE `adjusted_scores`.
-#}
{% macro pairs_of_estimates() -%}
-- scores that are equal except for float noise compare as equal
rounded as (

    select
        *,
        {{ comparable('true_score') }} as true_value,
        {{ comparable('adjusted_score') }} as estimated_value,
        {{ comparable('clipped_score') }} as clipped_estimated_value
    from adjusted_scores

),

-- one row per pair of runs of the same pool, level, measure, treatment and estimator
pairs as (

    select
        this.collection_key,
        this.level,
        this.pool_key,
        this.measure,
        this.unjudged,
        this.estimator,
        this.run_key,
        other.run_key as other_run_key,
        sign(this.true_value - other.true_value) as true_order,
        other.true_value > this.true_value as is_better,
        sign(this.estimated_value - other.estimated_value) as estimated_order,
        other.true_value > this.estimated_value as is_better_than_estimate,
        sign(this.clipped_estimated_value - other.clipped_estimated_value) as clipped_estimated_order,
        other.true_value > this.clipped_estimated_value as is_better_than_clipped_estimate
    from rounded as this
    inner join rounded as other
        on
            this.collection_key = other.collection_key
            and this.level = other.level
            and this.pool_key = other.pool_key
            and this.measure = other.measure
            and this.unjudged = other.unjudged
            and this.estimator = other.estimator
            and this.run_key <> other.run_key

)
{%- endmacro %}
