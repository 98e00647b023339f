with

{{ imports('int_common_judgements') }},

judgements as (

    select * from {{ ref('int_judgements') }}
    where is_judged

),

common_topics as (

    select distinct
        collection_key,
        run_key,
        topic_key
    from common_judgements

),

-- one row per run, common topic and document that either judges; the judgement of the qrels takes precedence
judged_by_both as (

    select
        common_topics.collection_key,
        common_topics.run_key,
        common_topics.topic_key,
        judgements.doc_key,
        judgements.is_relevant
    from common_topics
    inner join judgements
        on
            common_topics.collection_key = judgements.collection_key
            and common_topics.topic_key = judgements.topic_key
    union all
    select
        common_judgements.collection_key,
        common_judgements.run_key,
        common_judgements.topic_key,
        common_judgements.doc_key,
        common_judgements.is_relevant
    from common_judgements
    left join judgements
        on
            common_judgements.collection_key = judgements.collection_key
            and common_judgements.topic_key = judgements.topic_key
            and common_judgements.doc_key = judgements.doc_key
    where judgements.doc_key is null

),

-- one row per pool, topic and document: one pool of all judgements, and one pool per run with its own judgements
-- too
pool_documents as (

    select
        collection_key,
        {{ qrels_pool_key() }} as pool_key,
        topic_key,
        doc_key,
        is_relevant
    from judgements
    union all
    select
        collection_key,
        {{ common_pool_key('run_key') }} as pool_key,
        topic_key,
        doc_key,
        is_relevant
    from judged_by_both

)

select
    *,
    {{ contributed_by_nobody() }}
from pool_documents
