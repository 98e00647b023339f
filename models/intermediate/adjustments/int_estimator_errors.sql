{{ config(materialized='table') }}
{#- The estimate as published, and the estimate inside its bounds; the columns of the latter have a prefix. -#}
{%- set estimates = ['', 'clipped_'] -%}

with

{{ imports('int_adjusted_scores', 'int_candidates') }},

{{ pairs_of_estimates() }},

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

-- one row per organization: the errors of its runs, which resemble each other
organizations as (

    select
        rounded.collection_key,
        rounded.level,
        rounded.pool_key,
        rounded.measure,
        rounded.unjudged,
        rounded.estimator,
        candidates.organization_key,
        {% for prefix in estimates %}
            sum(abs(rounded.{{ prefix }}error)) as {{ prefix }}absolute_error,
        {% endfor %}
        count(*) as n_runs
    from rounded
    inner join candidates using (collection_key, pool_key, run_key)
    group by all

),

-- one row per pool, level, measure, treatment and estimator: the standard error of a mean over runs of organizations
standard_errors as (

    select
        collection_key,
        level,
        pool_key,
        measure,
        unjudged,
        {% for prefix in estimates %}
            {{ standard_error_over_organizations(prefix ~ 'absolute_error', 'n_runs') }}
                as {{ prefix }}mae_standard_error,
        {% endfor %}
        estimator
    from organizations
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
            any_value(standard_errors.{{ prefix }}mae_standard_error) as {{ prefix }}mae_standard_error,
        {% endfor %}
        avg(rounded.error) as mean_error,
        {{ coverage_columns('rounded') }},
        cast(count(*) as integer) as n_runs
    from rounded
    inner join standard_errors using (collection_key, level, pool_key, measure, unjudged, estimator)
    left join rank_errors using (collection_key, level, pool_key, measure, unjudged, estimator, run_key)
    group by all

)

select * from errors
