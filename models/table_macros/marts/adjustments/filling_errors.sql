{{ config(arguments=['collection', 'asked']) }}

with

estimates as materialized (

    select * from {{ ref('int_filling_estimates') }}(collection, asked)

),

-- one row per estimator and organization: the errors of its runs, which resemble each other
organizations as (

    select
        estimator,
        organization_key,
        sum(abs(error)) as absolute_error,
        sum(error) as total_error,
        count(*) as n_runs
    from estimates
    group by all

),

standard_errors as (

    select
        estimator,
        {{ standard_error_over_organizations('absolute_error', 'n_runs') }} as mae_standard_error,
        {{ standard_error_over_organizations('total_error', 'n_runs') }} as mean_error_standard_error
    from organizations
    group by estimator

),

-- one row per estimator: how the estimates order pairs of runs
concordances as (

    select
        this.estimator,
        sum(
            sign(this.true_value - other.true_value) * sign(this.estimated_value - other.estimated_value)
        ) as concordance,
        count(*) filter (where this.true_value <> other.true_value) as n_untied_true,
        count(*) filter (where this.estimated_value <> other.estimated_value) as n_untied_estimated
    from estimates as this
    inner join estimates as other
        on
            this.estimator = other.estimator
            and this.run_key <> other.run_key
    group by this.estimator

),

-- one row per estimator
named as (

    select
        collection as collection_id,
        asked as measure,
        estimates.estimator,
        any_value(estimates.author) as author,
        cast(count(*) as integer) as n_runs,
        avg(abs(estimates.error)) as mae,
        any_value(standard_errors.mae_standard_error) as mae_standard_error,
        avg(estimates.error) as mean_error,
        any_value(standard_errors.mean_error_standard_error) as mean_error_standard_error,
        any_value(
            {{ kendall_tau_b(
                'concordances.concordance', 'concordances.n_untied_true', 'concordances.n_untied_estimated'
            ) }}
        ) as kendall_tau,
        {{ coverage_columns('estimates') }}
    from estimates
    inner join standard_errors using (estimator)
    left join concordances using (estimator)
    group by estimates.estimator

)

select * from named
