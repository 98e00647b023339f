-- question: How many common topics would each pooled run need?
-- about: papers
--
-- Webber and Park 2009, section 2.2: a row per pooled run, level, measure,
-- estimator and requested standard error of the adjusted score, if the run had
-- not been pooled. n_common_topics is null where the run answers a single
-- topic. For any other standard error:
-- planning.common_topics_needed('collection', 0.015).
with

{{ imports('fct_topic_deltas') }},

standard_errors as (

    select * from (values (0.005), (0.01), (0.02), (0.05)) as listed (standard_error)

),

-- one row per pooled run, level, measure and estimator
variances as (

    select
        collection_id,
        run_id,
        level,
        measure,
        n_topics,
        estimator,
        variance
    from topic_deltas
    {{ variance_by_estimator() }}

),

-- one row per pooled run, level, measure, estimator and requested standard error
needed as (

    select
        variances.collection_id,
        variances.run_id,
        variances.level,
        variances.measure,
        variances.estimator,
        cast(standard_errors.standard_error as double) as standard_error,
        variances.n_topics,
        {{ common_topics_needed_by(
            'variances.estimator', 'variances.variance', 'variances.n_topics', 'standard_errors.standard_error'
        ) }} as n_common_topics
    from variances
    cross join standard_errors

)

select * from needed
