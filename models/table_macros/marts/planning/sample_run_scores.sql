{{ config(arguments=['collection', 'design', 'only_judged_topics := false']) }}

with

{{ imports('int_runs') }},

sample_scores as (

    select * from {{ ref('int_sample_scores') }}(collection, design, only_judged_topics)

),

-- one row per run, measure and estimator: sums over the topics that the run answers, and by how many they are divided.
-- The sample of each topic is drawn apart, so that the variances are added up.
sums as (

    select
        collection_key,
        run_key,
        measure,
        estimator,
        sum(score) as score,
        sqrt(sum(variance)) as standard_error,
        count(*) as n_topics,
        case measure when 'NumRel' then 1 else count(*) end as divisor,
        sum(n_sampled) as n_sampled,
        sum(n_relevant_sampled) as n_relevant_sampled
    from sample_scores
    group by
        collection_key,
        run_key,
        measure,
        estimator

),

named as (

    select
        collection as collection_id,
        runs.run_id,
        sums.measure,
        sums.estimator,
        sums.score / sums.divisor as score,
        sums.standard_error / sums.divisor as standard_error,
        cast(sums.n_topics as integer) as n_topics,
        cast(sums.n_sampled as bigint) as n_sampled,
        cast(sums.n_relevant_sampled as bigint) as n_relevant_sampled
    from sums
    inner join runs using (collection_key, run_key)

)

select * from named
