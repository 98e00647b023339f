with

{{ imports(intervals='fct_experiment_intervals') }},

-- one row per population, width, treatment, measure, number of common topics, estimator, method and confidence
coverage as (

    select
        collection_id,
        population,
        width,
        unjudged,
        measure,
        n_common_topics,
        estimator,
        method,
        confidence,
        cast(count(*) as integer) as n_samples,
        avg(cast(holds_true_score as integer)) as coverage,
        avg(cast(has_no_width as integer)) as share_without_width,
        avg(upper_bound - lower_bound) as mean_width
    from intervals
    group by all

)

select * from coverage
