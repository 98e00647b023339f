{{ config(materialized='table', meta={'rule': 'by_collection'}) }}

with

{{ imports(
    'int_rankings', 'int_candidates', 'int_other_contributors', 'int_contributions', 'int_run_topics',
    'int_pool_documents where n_organizations = 1 and is_relevant is not null'
) }},

judgements as (

    select * from {{ ref('int_judgements') }}
    where
        {{ is_at_hand() }}
        and is_judged

),

-- the documents that a candidate brings into the pool, or would, and that nobody judges without its organization
brought as (

    select
        collection_key,
        pool_key,
        run_key,
        topic_key,
        doc_key,
        rank,
        is_relevant,
        true as is_judged_if_pooled
    from other_contributors
    where not stays_judged

),

-- the documents that other runs of its organization alone contributed: they lose their judgement with it
lost_with_siblings as (

    select
        candidates.collection_key,
        candidates.pool_key,
        candidates.run_key,
        pool_documents.topic_key,
        pool_documents.doc_key,
        pool_documents.is_relevant
    from candidates
    inner join pool_documents
        on
            candidates.collection_key = pool_documents.collection_key
            and candidates.pool_key = pool_documents.pool_key
            and candidates.organization_key = pool_documents.sole_organization_key
            and candidates.run_key is distinct from pool_documents.sole_run_key
    where
        candidates.is_member
        and {{ counts_what_siblings_brought() }}

),

-- the documents among them that the candidate returns itself, below the pool depth
brought_by_siblings as (

    select
        lost_with_siblings.collection_key,
        lost_with_siblings.pool_key,
        lost_with_siblings.run_key,
        lost_with_siblings.topic_key,
        lost_with_siblings.doc_key,
        rankings.rank,
        lost_with_siblings.is_relevant,
        true as is_judged_if_pooled
    from lost_with_siblings
    inner join rankings using (collection_key, run_key, topic_key, doc_key)
    anti join contributions using (collection_key, run_key, topic_key, doc_key)

),

-- the other documents of each candidate of the pool of all pooled runs, down to the deepest cutoff, that nobody judged:
-- pooling the candidate does not have them judged
below as (

    select
        candidates.collection_key,
        candidates.pool_key,
        candidates.run_key,
        rankings.topic_key,
        rankings.doc_key,
        rankings.rank,
        cast(null as boolean) as is_relevant,
        false as is_judged_if_pooled
    from candidates
    inner join rankings using (collection_key, run_key)
    semi join run_topics using (collection_key, run_key, topic_key)
    anti join judgements using (collection_key, topic_key, doc_key)
    anti join brought using (collection_key, pool_key, run_key, topic_key, doc_key)
    where
        candidates.pool_key = 0
        and rankings.rank <= {{ deepest_cutoff() }}

),

unjudged as (

    select * from brought
    union all
    select * from brought_by_siblings
    union all
    select * from below

)

select * from unjudged
