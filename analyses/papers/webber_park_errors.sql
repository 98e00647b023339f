-- question: How do estimates from common topics compare?
-- about: papers
--
-- Inference from topics of Webber and Park 2009 (poolhouse experiment topics):
-- a row per collection, population, width, treatment of unjudged documents,
-- measure, number of common topics and estimator, those that are not in the
-- paper too. Errors are means over the samples of runs, each of which is a mean
-- over samples of topics; the unadjusted score has the same error at every
-- number of common topics. share_smaller_variance_on_common_topics is of the
-- samples of topics on which the adjusted score varies less than the sampled
-- score. The paper compares share_smaller_variance_over_all_topics: of the
-- samples of runs in which the true scores vary more than their differences to
-- the unpooled scores. share_fallback is of the samples of topics whose
-- residuals say nothing, so that the estimate is that of webber_park_topics.
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
