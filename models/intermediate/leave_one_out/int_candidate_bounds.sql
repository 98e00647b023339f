with

{{ imports(residuals='int_candidate_residuals') }},

-- one row per candidate, level and measure: its score if none of its unjudged documents is relevant, and if all are
bounds as (

    select
        collection_key,
        pool_key,
        run_key,
        level,
        measure,
        avg(score) as lower_bound,
        avg(score) + avg(residual) as upper_bound
    from residuals
    group by all

)

select * from bounds
