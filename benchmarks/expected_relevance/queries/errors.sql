-- One row per collection, measure and estimator: errors, each with its standard error over organizations.
with

errors as (

    select
        *,
        estimate - true_score as error,
        cast(abs(estimate - true_score) <= half_width_68 + 1e-9 as integer) as is_in_68,
        cast(abs(estimate - true_score) <= half_width_95 + 1e-9 as integer) as is_in_95
    from rows
    where estimator is not null

),

means as (

    select
        collection_id,
        measure,
        estimator,
        count(*) as n_runs,
        avg(abs(error)) as mae,
        avg(error) as mean_error,
        avg(is_in_68) as coverage_68,
        avg(is_in_95) as coverage_95
    from errors
    group by all

),

organizations as (

    select
        errors.collection_id,
        errors.measure,
        errors.estimator,
        errors.organization,
        sum(abs(errors.error) - means.mae) as absolute_error,
        sum(errors.error - means.mean_error) as error,
        sum(errors.is_in_68 - means.coverage_68) as in_68,
        sum(errors.is_in_95 - means.coverage_95) as in_95
    from errors
    inner join means
        on
            errors.collection_id = means.collection_id
            and errors.measure = means.measure
            and errors.estimator = means.estimator
    group by all

),

summed as (

    select
        means.collection_id,
        means.measure,
        means.estimator,
        means.n_runs,
        count(*) as n_organizations,
        means.mae,
        sqrt(sum(pow(organizations.absolute_error, 2)) * count(*) / (count(*) - 1)) / any_value(means.n_runs) as mae_se,
        means.mean_error,
        sqrt(sum(pow(organizations.error, 2)) * count(*) / (count(*) - 1)) / any_value(means.n_runs) as mean_error_se,
        means.coverage_68,
        sqrt(sum(pow(organizations.in_68, 2)) * count(*) / (count(*) - 1)) / any_value(means.n_runs) as coverage_68_se,
        means.coverage_95,
        sqrt(sum(pow(organizations.in_95, 2)) * count(*) / (count(*) - 1)) / any_value(means.n_runs) as coverage_95_se
    from means
    inner join organizations
        on
            means.collection_id = organizations.collection_id
            and means.measure = organizations.measure
            and means.estimator = organizations.estimator
    group by all

)

select * from summed
order by
    collection_id,
    measure,
    list_position(
        [
            'unadjusted', 'upper bound', 'condensed', 'webber_park_systems', 'webber_park_systems_no_substitution',
            'webber_park by organization', 'lipani', 'bootstrapped', 'expected_relevance'
        ],
        estimator
    )
