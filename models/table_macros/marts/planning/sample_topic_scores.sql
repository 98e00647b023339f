{{ config(arguments=['collection', 'design', 'only_judged_topics := false']) }}

with

{{ imports('int_runs') }},

sample_scores as (

    select * from {{ ref('int_sample_scores') }}(collection, design, only_judged_topics)

),

named as (

    select
        collection as collection_id,
        runs.run_id,
        sample_scores.topic_id,
        sample_scores.measure,
        sample_scores.estimator,
        sample_scores.score,
        sqrt(sample_scores.variance) as standard_error,
        sample_scores.n_sampled,
        sample_scores.n_relevant_sampled
    from sample_scores
    inner join runs using (collection_key, run_key)

)

select * from named
