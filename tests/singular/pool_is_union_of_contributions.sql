-- Return pooled documents that no pooled run has at a rank down to the pool depth, documents that a pooled run has
-- there and the pool lacks, and documents whose number of contributing runs is wrong. Of a pool that was made by lists, the
-- documents of the lists count, down to the rank at which the lists of the topic ended.
with

rankings as (

    select * from {{ ref('int_rankings') }}
    where {{ is_at_hand() }}

),

pooled_runs as (

    select * from {{ ref('int_pooled_runs') }}
    where {{ is_at_hand() }}

),

topic_pools as (

    select * from {{ ref('int_topic_pools') }}
    where {{ is_at_hand() }}

),

listed_documents as (

    select * from {{ ref('int_listed_documents') }}
    where {{ is_at_hand() }}

),

pool_documents as (

    select * from {{ ref('int_pool_documents') }}
    where
        {{ is_at_hand() }}
        and pool_key = 0

),

top_documents as (

    select
        rankings.collection_key,
        rankings.topic_key,
        rankings.doc_key,
        count(distinct rankings.run_key) as n_runs
    from rankings
    inner join pooled_runs
        on rankings.run_key = pooled_runs.run_key
    inner join topic_pools
        on
            rankings.collection_key = topic_pools.collection_key
            and rankings.topic_key = topic_pools.topic_key
    left join listed_documents
        on
            rankings.collection_key = listed_documents.collection_key
            and rankings.topic_key = listed_documents.topic_key
            and rankings.doc_key = listed_documents.doc_key
    where
        case
            when rankings.collection_key in (select listed.collection_key from listed_documents as listed)
                then rankings.pooling_rank <= listed_documents.topic_depth
            else
                rankings.pooling_rank
                <= case when topic_pools.is_of_main_pool then pooled_runs.pool_depth else topic_pools.pool_depth end
        end
    group by
        rankings.collection_key,
        rankings.topic_key,
        rankings.doc_key

)

select
    top_documents.n_runs,
    pool_documents.*
from top_documents
full join pool_documents
    on
        top_documents.collection_key = pool_documents.collection_key
        and top_documents.topic_key = pool_documents.topic_key
        and top_documents.doc_key = pool_documents.doc_key
where top_documents.n_runs is distinct from pool_documents.n_runs
