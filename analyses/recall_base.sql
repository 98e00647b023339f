-- question: How many relevant documents does each topic have?
-- about: topics
--
-- The number of relevant documents, the fewest first. With fewer than ten
-- relevant documents no run reaches a P@10 of 1, and one document more or less
-- changes AP a lot. `of_one_organization` counts the documents that only one
-- organization found. The pool would not have these documents without that
-- organization. It is null if the pool depth is not known.
--
-- parameter: collection
with

topics as (

    select * from dim_topics
    where
        collection_id = $collection
        and is_judged

),

relevant_documents as (

    select * from fct_judgements
    where
        collection_id = $collection
        and is_relevant

),

-- one row per topic with a relevant document
found as (

    select
        topic_id,
        count_if(n_contributing_organizations = 1) as n_of_one,
        count(n_contributing_organizations) > 0 as is_known
    from relevant_documents
    group by topic_id

),

bases as (

    select
        topics.topic_id,
        topics.title,
        topics.n_judged,
        topics.n_relevant,
        topics.n_relevant / nullif(topics.n_judged, 0) as relevant_share,
        case
            when found.is_known then found.n_of_one
            when topics.n_relevant = 0 then 0
        end as of_one_organization
    from topics
    left join found on topics.topic_id = found.topic_id

)

select * from bases
order by
    n_relevant,
    topic_id

-- sample: --collection odd-one-out
--                                                   n_  relevant_       of_one_
-- topic_id  title                   n_judged  relevant      share  organization
-- ─────────────────────────────────────────────────────────────────────────────
-- 327       cave paintings               118         6     0.0508             3
--           economics
-- 319       lighthouses history          128         8     0.0625             6
-- 313       night trains history         125         9     0.0720             6
-- 314       urban bees history           109         9     0.0826             4
-- 318       volcanic soil history        126         9     0.0714             4
-- 5 of 30 rows
