with

{{ imports(
    'int_measures', 'int_runs', 'int_collections', "int_topic_scores where unjudged = 'nonrelevant'",
    recall='int_other_version_recall'
) }},

-- one row per run, judged topic and measure, as both versions may score it differently: with the score in the other
-- version
other_scores as (

    select
        run_key,
        topic_key,
        measure,
        score,
        'recall levels' as reason
    from recall
    union all
    select
        scores.run_key,
        scores.topic_key,
        scores.measure,
        scores.score,
        'float ties' as reason
    from {{ ref('int_other_version_scores') }} as scores
    anti join recall using (run_key, topic_key, measure)

),

-- one row per run, judged topic and measure of the marts, with both scores and, where they differ, the reason
compared as (

    select
        topic_scores.collection_key,
        topic_scores.run_key,
        topic_scores.measure,
        topic_scores.is_answered,
        topic_scores.score,
        coalesce(other_scores.score, topic_scores.score) as other_score,
        case
            when {{ comparable('topic_scores.score') }} <> {{ comparable('other_scores.score') }}
                then other_scores.reason
        end as reason
    from topic_scores
    left join other_scores using (run_key, topic_key, measure)

),

-- one row per run and measure whose scores differ on a topic
differing as (

    select
        compared.collection_key,
        compared.run_key,
        compared.measure,
        {{ over_topics('compared.score', 'measures.aggregation', 'compared.is_answered') }} as score,
        {{ over_topics('compared.other_score', 'measures.aggregation', 'compared.is_answered') }} as other_score,
        cast(count(compared.reason) as integer) as n_differing_topics,
        max(abs(compared.score - compared.other_score)) as largest_difference,
        string_agg(distinct compared.reason, ', ' order by compared.reason) as reasons
    from compared
    inner join measures using (measure)
    group by
        compared.collection_key,
        compared.run_key,
        compared.measure
    having count(compared.reason) > 0

),

named as (

    select
        collections.collection_id,
        runs.run_id,
        differing.measure,
        differing.{{ 'score' if trec_eval_version() == 9 else 'other_score' }} as trec_eval_9_score,
        differing.{{ 'score' if trec_eval_version() == 10 else 'other_score' }} as trec_eval_10_score,
        differing.n_differing_topics,
        differing.largest_difference,
        differing.reasons
    from differing
    inner join runs using (run_key)
    inner join collections on differing.collection_key = collections.collection_key

)

select * from named
