{{ config(arguments=['collection', 'chosen', 'of_runs', 'depth']) }}
-- How far each estimator is off for the runs of a pool of chosen documents, when a run or an organization leaves it.

with

{{ chosen_pools() }},

{{ estimates_of_pools(relations_of_pools()) }},

-- one row per level, treatment, measure and estimator
errors as (

    select
        level,
        unjudged,
        measure,
        estimator,
        cast(count(*) as integer) as n_runs,
        avg(adjusted_score - true_score) as mean_error,
        avg(abs(adjusted_score - true_score)) as mae,
        max(abs(adjusted_score - true_score)) as largest_error
    from int_adjusted_scores
    group by all

)

select * from errors
