{{ config(arguments=['collection', 'design']) }}

with

sample_scores as (

    select * from {{ ref('sample_topic_scores') }}(collection, design)

),

-- one row per run, measure and estimator: sums over the topics that the run answers, and by how many they are divided.
-- The sample of each topic is drawn apart, so that the variances are added up.
sums as (

    select
        collection_id,
        run_id,
        measure,
        estimator,
        sum(score) as score,
        sqrt(sum(pow(standard_error, 2))) as standard_error,
        count(*) as n_topics,
        case measure when 'NumRel' then 1 else count(*) end as divisor,
        sum(n_answered) as n_answered,
        sum(n_relevant_sampled) as n_relevant_sampled
    from sample_scores
    group by
        collection_id,
        run_id,
        measure,
        estimator

),

means as (

    select
        collection_id,
        run_id,
        measure,
        estimator,
        score / divisor as score,
        standard_error / divisor as standard_error,
        cast(n_topics as integer) as n_topics,
        cast(n_answered as bigint) as n_answered,
        cast(n_relevant_sampled as bigint) as n_relevant_sampled
    from sums

)

select * from means
