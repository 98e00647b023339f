-- question: Which relevant documents does no run retrieve?
-- about: judgements
--
-- Relevant documents of the qrels that no loaded run has at any rank, by topic,
-- with three examples. They come from other sources (searches by hand, earlier
-- pools, runs that are not loaded). They limit the recall that any of these
-- runs can reach.
--
-- parameter: collection
with

topics as (

    select * from dim_topics
    where
        collection_id = $collection
        and is_judged

),

unretrieved as (

    select * from audits.audit_unretrieved_judgements
    where collection_id = $collection

),

judgements as (

    select * from fct_judgements
    where
        collection_id = $collection
        and is_relevant

),

-- one row per topic with such a document
lists as (

    select
        judgements.topic_id,
        count(*) as n_unretrieved,
        list(judgements.doc_id order by judgements.doc_id)[:3] as some_documents
    from judgements
    inner join unretrieved
        on
            judgements.topic_id = unretrieved.topic_id
            and judgements.doc_id = unretrieved.doc_id
    group by judgements.topic_id

),

-- one row per judged topic
counted as (

    select
        topics.topic_id,
        topics.n_relevant,
        coalesce(lists.n_unretrieved, 0) as n_unretrieved,
        lists.some_documents
    from topics
    left join lists on topics.topic_id = lists.topic_id

)

select * from counted
order by
    n_unretrieved desc,
    topic_id asc

-- sample: --collection odd-one-out
-- ┏━━━━━━━━━━┳━━━━━━━━━━━━┳━━━━━━━━━━━━━━━┳━━━━━━━━━━━━━━━━┓
-- ┃ topic_id ┃ n_relevant ┃ n_unretrieved ┃ some_documents ┃
-- ┡━━━━━━━━━━╇━━━━━━━━━━━━╇━━━━━━━━━━━━━━━╇━━━━━━━━━━━━━━━━┩
-- │ 301      │         17 │             0 │                │
-- │ 302      │         15 │             0 │                │
-- │ 303      │         28 │             0 │                │
-- │ 304      │         20 │             0 │                │
-- │ 305      │         19 │             0 │                │
-- └──────────┴────────────┴───────────────┴────────────────┘
-- 5 of 30 rows
