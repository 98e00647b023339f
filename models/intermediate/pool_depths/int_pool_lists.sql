{{ config(materialized='table', meta={'rule': 'pool'}) }}

with

{{ imports(
    'int_collections where is_judged', 'int_judged_topics', 'stg_pool_lists', 'stg_qrels',
    listed='stg_pool_documents where is_listed'
) }},

-- one row per topic and document of the qrels: whether it is judged
answers as (

    select
        collection_key,
        topic_id,
        doc_id,
        {{ is_judged('max(grade)') }} as is_judged
    from qrels
    group by all

),

-- one row per list and document on it: whether somebody answered, and the share of the list that is answered
answered as (

    select
        listed.collection_key,
        listed.list_number,
        listed.topic_id,
        listed.doc_id,
        answers.is_judged,
        count(answers.is_judged) over (partition by listed.collection_key, listed.list_number) / count(*) over (
            partition by listed.collection_key, listed.list_number
        ) as answered_share
    from listed
    left join answers using (collection_key, topic_id, doc_id)

),

-- one row per topic and answered document: the list that it belongs to, which is the one that is answered most, or else the
-- last one. A list that somebody made and never gave away may share documents with the next one.
belonging as (

    select
        collection_key,
        any_value(is_judged) as is_judged,
        arg_max(list_number, (answered_share, list_number)) as list_number
    from answered
    where is_judged is not null
    group by
        collection_key,
        topic_id,
        doc_id

),

-- one row per list in use
in_use as (

    select
        collection_key,
        list_number,
        count(*) as n_answered,
        count_if(is_judged) as n_judged
    from belonging
    group by
        collection_key,
        list_number

),

-- the collections of which at least half of the judgements are on these lists, unless another kind of judging is declared
judged_by_lists as (

    select collections.collection_key
    from collections
    inner join judged_topics using (collection_key)
    where coalesce(collections.declared_judging, 'pooled') = 'pooled'
    group by collections.collection_key
    having sum(judged_topics.n_judged) <= 2 * (
        select sum(in_use.n_judged) from in_use
        where in_use.collection_key = collections.collection_key
    )

),

lists as (

    select
        pool_lists.collection_key,
        pool_lists.list_number,
        pool_lists.strategy,
        pool_lists.budget,
        pool_lists.run_ids,
        in_use.n_answered
    from pool_lists
    inner join in_use using (collection_key, list_number)
    semi join judged_by_lists using (collection_key)

)

select * from lists
