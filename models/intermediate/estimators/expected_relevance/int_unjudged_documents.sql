{{ config(materialized='table', meta={'rule': 'by_collection'}) }}

with

{{ imports('int_candidates', 'int_other_contributors', 'int_candidate_rankings', 'int_run_topics') }},

judgements as (

    select * from {{ ref('int_judgements') }}
    where
        {{ is_at_hand() }}
        and is_judged

),

-- not materialized: only the documents at the top are read
rankings as not materialized (

    select * from {{ ref('int_rankings') }}
    where {{ is_at_hand() }}

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

-- the documents further down that only other runs of its organization contributed: they lose their judgement with it
brought_by_siblings as (

    select
        collection_key,
        pool_key,
        run_key,
        topic_key,
        doc_key,
        rank,
        is_relevant,
        true as is_judged_if_pooled
    from candidate_rankings
    where
        sole_organization_key = organization_key
        and not is_own_contribution
        and rank <= {{ deepest_cutoff() }}
        and {{ is_true_judgement("'organization'", 'candidate_rankings') }}

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
