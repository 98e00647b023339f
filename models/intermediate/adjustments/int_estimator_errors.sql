{{ config(materialized='table') }}
{#- The estimate as published, and the estimate inside its bounds; the columns of the latter have a prefix. -#}
{%- set estimates = ['', 'clipped_'] -%}

with

{{ imports('int_adjusted_scores') }},

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

),

-- one row per run: by how many places the estimate moves it among the true scores of the others
rank_errors as (

    select
        collection_key,
        level,
        pool_key,
        measure,
        unjudged,
        estimator,
        run_key,
        {% for prefix in estimates %}
            abs(
                count(*) filter (where is_better)
                - count(*) filter (where is_better_than_{{ prefix }}estimate)
            ) as {{ prefix }}rank_error,
            sum(true_order * {{ prefix }}estimated_order) as {{ prefix }}concordance,
            count(*) filter (where {{ prefix }}estimated_order <> 0) as n_untied_{{ prefix }}estimated,
        {% endfor %}
        count(*) filter (where true_order <> 0) as n_untied_true
    from pairs
    group by all

),

-- one row per pool, level, measure, treatment and estimator
errors as (

    select
        rounded.collection_key,
        rounded.level,
        rounded.pool_key,
        rounded.measure,
        rounded.unjudged,
        rounded.estimator,
        {% for prefix in estimates %}
            avg(abs(rounded.{{ prefix }}error)) as {{ prefix }}mae,
            cast(sum(coalesce(rank_errors.{{ prefix }}rank_error, 0)) as integer) as {{ prefix }}sre,
            {{ kendall_tau_b(
                'sum(rank_errors.' ~ prefix ~ 'concordance)',
                'sum(rank_errors.n_untied_true)',
                'sum(rank_errors.n_untied_' ~ prefix ~ 'estimated)'
            ) }} as {{ prefix }}kendall_tau,
        {% endfor %}
        cast(count(*) as integer) as n_runs
    from rounded
    left join rank_errors
        on
            rounded.collection_key = rank_errors.collection_key
            and rounded.level = rank_errors.level
            and rounded.pool_key = rank_errors.pool_key
            and rounded.measure = rank_errors.measure
            and rounded.unjudged = rank_errors.unjudged
            and rounded.estimator = rank_errors.estimator
            and rounded.run_key = rank_errors.run_key
    group by all

)

select * from errors
