{#-
    The chains of a run outside the pool, loaded or in a file, as CTEs: each such run is a candidate of the pool of all
    pooled runs, to which it contributed nothing.

    The CTEs before them, named by `given`, are `int_candidates`, which are organizations of their own, the stored pool
    (stored_pool), `int_run_topics`, `int_pool_measures`, and `int_contributions`: the documents that the candidates
    would have contributed, with the judgement of the qrels (`is_relevant`, null where there is none).
-#}
{#- The models of a stored pool that the chains read. -#}
{% macro stored_pool() %}
    {{ return([
        'int_pool_runs',
        'int_pool_documents',
        'int_pool_rankings',
        'int_lone_contributions',
        'int_member_losses',
        'int_relevance_examples',
        'int_relevance_deviations',
        'int_filling_deviations',
    ]) }}
{% endmacro %}

{#- The chain of the relevance of unjudged documents; its last CTE is int_expected_relevance. -#}
{% macro relevance_outside_pool(given) -%}
-- one row per document that a candidate would have contributed, with the number of organizations that did
int_other_contributors as (

    select
        candidates.collection_key,
        candidates.pool_key,
        candidates.run_key,
        candidates.organization_key,
        contributions.topic_key,
        contributions.doc_key,
        contributions.rank,
        contributions.is_relevant,
        coalesce(pool_documents.n_organizations, 0) as n_others,
        contributions.is_relevant is not null as stays_judged
    from int_candidates as candidates
    semi join int_pool_runs as pools
        on
            candidates.collection_key = pools.collection_key
            and candidates.pool_key = pools.pool_key
    inner join int_contributions as contributions
        on
            candidates.collection_key = contributions.collection_key
            and candidates.run_key = contributions.run_key
    left join int_pool_documents as pool_documents
        on
            candidates.collection_key = pool_documents.collection_key
            and candidates.pool_key = pool_documents.pool_key
            and contributions.topic_key = pool_documents.topic_key
            and contributions.doc_key = pool_documents.doc_key

),

{{ steps(['int_expected_relevance'], given + ['int_candidates', 'int_other_contributors']) }}
{%- endmacro %}

{#-
    The chain of the adjustments. Its last CTEs are int_adjustments_webber_park_systems,
    int_adjustments_expected_relevance and int_adjustments_filled. Among the CTEs before it is int_expected_relevance.
-#}
{% macro adjustments_outside_pool(given) -%}
-- no run leaves the pool with a candidate
int_levels as (

    select 'run' as level

),

{{ steps(
    ['int_adjustments_webber_park_systems', 'int_adjustments_expected_relevance'],
    given + ['int_candidates', 'int_levels', 'int_contributions']
) }},

-- the documents of the candidates that nobody judged
int_lost_documents as (

    select
        candidates.collection_key,
        candidates.pool_key,
        candidates.run_key,
        'run' as level,
        contributions.topic_key,
        contributions.doc_key,
        contributions.rank,
        contributions.is_relevant
    from int_candidates as candidates
    inner join int_contributions as contributions
        on
            candidates.collection_key = contributions.collection_key
            and candidates.run_key = contributions.run_key
    where contributions.is_relevant is null

),

{{ step(
    'int_filled_gains', given + ['int_candidates', 'int_levels', 'int_lost_documents'], called='gains_by_labels'
) }},

-- the candidates of which the author labelled nearly all of these documents. They are compared with organizations that
-- left the pool, and are organizations of their own.
int_filled_gains as (

    select * replace (
        'organization' as level,
        organization_key as contributor_key
    )
    from gains_by_labels
    where labelled_weight >= {{ least_labelled_share() }} * unjudged_weight

),

{{ step('int_adjustments_filled', given + ['int_filled_gains']) }}
{%- endmacro %}

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
