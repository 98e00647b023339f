{{ config(arguments=['collection', 'design']) }}

with

{{ imports('int_rankings', 'int_runs') }},

frame as (

    select * from {{ ref('int_sampling_frame') }}(collection, design)
    where is_scored

),

inferred_scores as (

    select * from {{ ref('int_inferred_scores') }}(collection, design)

),

weighted_scores as (

    select * from {{ ref('int_weighted_scores') }}(collection, design)

),

-- one row per topic of the design that is scored
topics as (

    select
        topic_key,
        any_value(collection_key) as collection_key,
        any_value(topic_id) as topic_id,
        any_value(n_answered) as n_answered,
        any_value(n_relevant_sampled) as n_relevant_sampled,
        count(distinct stratum) as n_strata,
        min(n_answered_of_stratum) as fewest_answered
    from frame
    group by topic_key

),

asked_collection as (

    select any_value(collection_key) as collection_key from topics

),

{{ answers_of_plan() }},

-- one row per measure and estimator. Inferred AP has no value where nothing is answered of a stratum.
measures as (

    select
        'AP' as measure,
        case when max(n_strata) = 1 then 'infAP' else 'xinfAP' end as estimator
    from topics
    having min(fewest_answered) > 0
    union all
    select
        unnest(['AP', 'P@{{ sampled_cutoff() }}', 'NumRel', 'nDCG']) as measure,
        'statAP' as estimator

),

-- one row per run, topic that it answers, measure and estimator. A score is 0 and has no variance where no sampled
-- document is relevant. Inferred AP has the variance of statAP's AP, which covers its errors better than its own.
scores as (

    select
        collection as collection_id,
        runs.run_id,
        topics.topic_id,
        measures.measure,
        measures.estimator,
        coalesce(
            case measures.estimator when 'statAP' then weighted_scores.score else inferred_scores.score end, 0
        ) as score,
        sqrt(case when topics.n_relevant_sampled > 0 then weighted_scores.variance end) as standard_error,
        topics.n_answered,
        topics.n_relevant_sampled
    from topics
    inner join answers using (topic_key)
    inner join runs using (collection_key, run_key)
    cross join measures
    left join inferred_scores using (run_key, topic_key)
    left join weighted_scores using (run_key, topic_key, measure)

)

select * from scores
