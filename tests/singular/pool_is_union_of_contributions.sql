-- Pooled documents that no pooled run ranks at the pool depth or above, or that one does and the
-- pool lacks, or whose number of contributing runs is another.
with

rankings as (

    select * from {{ ref('int_rankings') }}
    where {{ is_at_hand() }}

),

pooled_runs as (

    select * from {{ ref('int_pooled_runs') }}
    where {{ is_at_hand() }}

),

judged_topics as (

    select * from {{ ref('int_judged_topics') }}
    where {{ is_at_hand() }}

),

contributors as (

    select * from {{ ref('int_contributors') }}
    where {{ is_at_hand() }}

),

top_documents as (

    select
        rankings.collection_key,
        rankings.topic_key,
        rankings.doc_key,
        count(distinct rankings.run_key) as n_runs
    from rankings
    inner join pooled_runs
        on
            rankings.run_key = pooled_runs.run_key
            and rankings.pooling_rank <= pooled_runs.pool_depth
    inner join judged_topics
        on
            rankings.collection_key = judged_topics.collection_key
            and rankings.topic_key = judged_topics.topic_key
    group by
        rankings.collection_key,
        rankings.topic_key,
        rankings.doc_key

)

select
    top_documents.n_runs,
    contributors.*
from top_documents
full join contributors
    on
        top_documents.collection_key = contributors.collection_key
        and top_documents.topic_key = contributors.topic_key
        and top_documents.doc_key = contributors.doc_key
where top_documents.n_runs is distinct from contributors.n_runs
