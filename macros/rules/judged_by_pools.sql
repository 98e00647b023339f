{#-
    The rows of int_candidate_rankings for candidates that do not belong to their pools, as the CTE of this name. The
    arguments are CTEs. The lists are not cut at the deepest cutoff, because they are few.
-#}
{% macro judged_by_pools(candidates, rankings, pool_documents, is_own_contribution) -%}
-- the documents of each candidate that its pool has judged
int_candidate_rankings as (

    select
        candidates.collection_key,
        candidates.pool_key,
        candidates.run_key,
        candidates.organization_key,
        rankings.topic_key,
        rankings.doc_key,
        rankings.rank,
        pool_documents.is_relevant,
        pool_documents.sole_run_key,
        pool_documents.sole_organization_key,
        {{ is_own_contribution }} as is_own_contribution
    from {{ candidates }} as candidates
    inner join {{ rankings }} as rankings using (collection_key, run_key)
    inner join {{ pool_documents }} as pool_documents using (collection_key, pool_key, topic_key, doc_key)
    where pool_documents.is_relevant is not null

)
{%- endmacro %}
