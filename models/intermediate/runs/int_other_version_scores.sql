with

{{ imports('int_judgements', 'int_run_topics', sets='int_judged_topics') }},

-- the lists that both versions may order differently
reordered as (

    select * from {{ ref('int_rankings') }}
    where other_version_rank is not null

),

-- one row per such list of a judged topic
lists as (

    select distinct
        reordered.collection_key,
        reordered.run_key,
        reordered.topic_key
    from reordered
    inner join sets using (collection_key, topic_key)

),

-- their documents that are in the qrels, in the order of the other version
judged_rankings as (

    select
        reordered.run_key,
        reordered.topic_key,
        reordered.other_version_rank as rank,
        judgements.grade,
        case when judgements.is_judged then judgements.is_relevant end as is_relevant
    from reordered
    inner join judgements using (collection_key, topic_key, doc_key)

),

{{ scores_by_measures(var('measures')) }},

-- one row per list and measure
topic_scores as (

    {{ unpivot_measures('scores', var('measures')) }}

)

select * from topic_scores
