-- question: How often do intervals hold the true score?
-- about: papers
--
-- Intervals around estimates from common topics, as in algorithm 2 of Webber
-- and Park 2009 (poolhouse experiment intervals): a row per collection,
-- population, width, treatment of unjudged documents, measure, number of common
-- topics, estimator, method and confidence. Compare coverage, the share of the
-- intervals that hold the true score, with the confidence. share_without_width
-- is the share of the intervals that are a single point.
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
