{{ config(materialized='table_macro', arguments=['collection', 'drawn', 'depth']) }}

with

-- of this collection: the engine reads no more of the tables below
asked_collection as (

    select collection_key
    from {{ ref('int_collections') }}
    where collection_id = collection

),

samples as (

    select
        sample,
        run_key,
        role
    from query_table(drawn)

),

judged_topics as (

    select judged_topics.*
    from asked_collection
    inner join {{ ref('int_judged_topics') }} as judged_topics
        on asked_collection.collection_key = judged_topics.collection_key

),

relevant_documents as (

    select judgements.*
    from asked_collection
    inner join {{ ref('int_judgements') }} as judgements
        on asked_collection.collection_key = judgements.collection_key
    where judgements.is_relevant

),

rankings as (

    select
        rankings.run_key,
        rankings.topic_key,
        rankings.doc_key,
        rankings.rank
    from asked_collection
    inner join {{ ref('int_rankings') }} as rankings
        on asked_collection.collection_key = rankings.collection_key
    inner join judged_topics on rankings.topic_key = judged_topics.topic_key

),

-- the top documents of every run: what it contributes where it is drawn
contributions as (

    select * from rankings
    where rank <= depth

),

-- one row per sample, topic and document that a run of the sample contributes
contributed as (

    select
        samples.sample,
        contributions.topic_key,
        contributions.doc_key,
        count(*) filter (where samples.role = 'pooled') as n_contributors,
        min(contributions.rank) filter (where samples.role = 'pooled') as best_pooled_rank
    from samples
    inner join contributions on samples.run_key = contributions.run_key
    group by
        samples.sample,
        contributions.topic_key,
        contributions.doc_key

),

-- one row per topic and document that any run contributes
widest_pool as (

    select distinct
        topic_key,
        doc_key
    from contributions

),

-- the whole rankings, less the documents that no run contributes: no sample has them
rankings_of_contributions as (

    select rankings.*
    from rankings
    inner join widest_pool
        on
            rankings.topic_key = widest_pool.topic_key
            and rankings.doc_key = widest_pool.doc_key

),

-- one row per sample: the run that is not pooled
unpooled as (

    select
        sample,
        run_key
    from samples
    where role = 'unpooled'

),

-- the same documents with the place that the unpooled run gives them, and whether they are relevant
documents as (

    select
        contributed.sample,
        contributed.topic_key,
        contributed.doc_key,
        rankings_of_contributions.rank as unpooled_rank,
        contributed.n_contributors,
        case when contributed.n_contributors = 1 then contributed.best_pooled_rank end as sole_rank,
        relevant_documents.doc_key is not null as is_relevant
    from contributed
    inner join unpooled on contributed.sample = unpooled.sample
    left join rankings_of_contributions
        on
            unpooled.run_key = rankings_of_contributions.run_key
            and contributed.topic_key = rankings_of_contributions.topic_key
            and contributed.doc_key = rankings_of_contributions.doc_key
    left join relevant_documents
        on
            contributed.topic_key = relevant_documents.topic_key
            and contributed.doc_key = relevant_documents.doc_key

)

select * from documents
