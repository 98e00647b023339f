{#-
    The chain of a run outside the pool, loaded or in a file, as CTEs: each such run is a candidate of the pool of all
    pooled runs, to which it contributed nothing. The last CTE is int_adjustments_webber_park_systems.

    The CTEs before it, named by `given`, are `int_candidates`, the stored pool (stored_pool), and `int_contributions`:
    the documents that the candidates would have contributed.
-#}
{% macro outside_pool(given) -%}
-- no run leaves the pool with a candidate
int_levels as (

    select 'run' as level

),

{{ steps([
    'int_pool_pairs',
    'int_withdrawal_exceptions',
    'int_pair_losses',
    'int_adjustments_webber_park_systems',
], given + ['int_candidates', 'int_levels', 'int_contributions']) }}
{%- endmacro %}

{#- The models of a stored pool that the chain reads. -#}
{% macro stored_pool() %}
    {{ return(['int_pool_runs', 'int_pool_documents', 'int_pool_rankings', 'int_lone_contributions', 'int_member_losses']) }}
{% endmacro %}

{#-
    The rows of int_candidate_rankings for candidates that do not belong to their pools, as the CTE
    `candidate_rankings`. The arguments are CTEs. The lists are not cut at the deepest cutoff, because they are few.
-#}
{% macro judged_by_pools(candidates, rankings, pool_documents, is_own_contribution) -%}
-- the documents of each candidate that its pool has judged
candidate_rankings as (

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
    inner join {{ rankings }} as rankings
        on
            candidates.collection_key = rankings.collection_key
            and candidates.run_key = rankings.run_key
    inner join {{ pool_documents }} as pool_documents
        on
            candidates.collection_key = pool_documents.collection_key
            and candidates.pool_key = pool_documents.pool_key
            and rankings.topic_key = pool_documents.topic_key
            and rankings.doc_key = pool_documents.doc_key
    where pool_documents.is_relevant is not null

)
{%- endmacro %}
