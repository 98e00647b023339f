-- One row per built collection, with its sizes and its verdict. Where nothing is judged, all topics count.
with

known_topics as (

    select
        collection_id,
        count(*) as n_topics
    from dim_topics
    group by collection_id

),

-- one row per judged collection: the authors that are compared with its reference
known_authors as (

    select
        collection_id,
        count_if(is_compared) as n_compared_authors
    from dim_authors
    group by collection_id

)

select
    collections.collection_id,
    collections.title,
    collections.pool_depth,
    collections.pool_depth_source,
    collections.n_runs,
    collections.n_pooled_runs,
    collections.n_organizations,
    case when collections.is_judged then collections.n_topics else known_topics.n_topics end as n_topics,
    collections.n_judgements,
    collections.n_relevant,
    collections.is_judged,
    collections.main_measure,
    collections.trec_eval_version,
    collections.topics_caveat,
    collections.judging,
    collections.how_judged,
    known_authors.n_compared_authors,
    audits.n_in_qrels,
    audits.verdict,
    audits.verdict_reasons,
    audits.not_told,
    audits.accuracy_with_estimates
from dim_collections as collections
left join known_topics on collections.collection_id = known_topics.collection_id
left join known_authors on collections.collection_id = known_authors.collection_id
left join audit_collections as audits on collections.collection_id = audits.collection_id
order by collections.collection_id
