with

{{ imports('int_collections', topic_errors='experiments.topic_errors') }},

named as (

    select
        collections.collection_id,
        topic_errors.population,
        topic_errors.width,
        topic_errors.sample,
        topic_errors.unjudged,
        topic_errors.measure,
        topic_errors.n_topics,
        topic_errors.n_common_topics,
        topic_errors.estimator,
        topic_errors.n_topic_samples,
        topic_errors.mean_error,
        topic_errors.mean_absolute_error,
        topic_errors.mean_squared_error,
        topic_errors.n_smaller_adjusted_variance,
        topic_errors.has_smaller_variance_over_all_topics,
        topic_errors.n_fallback
    from topic_errors
    inner join collections using (collection_key)

)

select * from named
