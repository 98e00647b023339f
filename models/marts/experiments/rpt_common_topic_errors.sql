with

{{ imports(topic_errors='fct_experiment_topic_errors') }},

-- one row per population, width, treatment, measure, number of common topics and estimator: means over
-- the samples of runs, each of which is a mean over samples of topics
errors as (

    select
        collection_id,
        population,
        width,
        unjudged,
        measure,
        n_topics,
        n_common_topics,
        estimator,
        cast(count(*) as integer) as n_samples,
        avg(mean_absolute_error) as mae,
        stddev_samp(mean_absolute_error) / sqrt(count(*)) as mae_standard_error,
        avg(mean_error) as mean_error,
        stddev_samp(mean_error) / sqrt(count(*)) as mean_error_standard_error,
        sqrt(avg(mean_squared_error)) as rmse,
        sum(n_smaller_adjusted_variance) / sum(n_topic_samples) as share_smaller_variance_on_common_topics,
        avg(cast(has_smaller_variance_over_all_topics as integer)) as share_smaller_variance_over_all_topics,
        sum(n_fallback) / sum(n_topic_samples) as share_fallback
    from topic_errors
    group by all

)

select * from errors
