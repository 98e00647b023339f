{{ config(materialized='table', meta={'rule': 'by_collection'}) }}

with

{{ imports(
    'int_candidates', 'int_pool_runs', 'int_unjudged_documents', 'int_run_precisions', 'int_document_support',
    'int_relevance_factors'
) }},

-- the unjudged documents of each candidate of a pool that has runs of another organization
unjudged as (

    select
        unjudged_documents.*,
        candidates.organization_key,
        candidates.own_organization_key
    from unjudged_documents
    inner join candidates using (collection_key, pool_key, run_key)
    semi join pool_runs
        on
            candidates.collection_key = pool_runs.collection_key
            and candidates.pool_key = pool_runs.pool_key
            and candidates.own_organization_key <> pool_runs.organization_key

),

-- the same rows with the precisions of the candidate and the support by other organizations
described as (

    select
        unjudged.collection_key,
        unjudged.pool_key,
        unjudged.run_key,
        unjudged.organization_key,
        unjudged.topic_key,
        unjudged.doc_key,
        unjudged.rank,
        unjudged.is_relevant,
        unjudged.is_judged_if_pooled,
        any_value(run_precisions.rare_precision) as rare_precision,
        any_value(run_precisions.topic_precision) as topic_precision,
        any_value(run_precisions.overlap) as overlap,
        coalesce(sum(document_support.support), 0) as support
    from unjudged
    inner join run_precisions using (collection_key, pool_key, run_key, topic_key)
    left join document_support
        on
            unjudged.collection_key = document_support.collection_key
            and unjudged.pool_key = document_support.pool_key
            and unjudged.topic_key = document_support.topic_key
            and unjudged.doc_key = document_support.doc_key
            and unjudged.own_organization_key <> document_support.organization_key
    group by all

),

-- one row per pool and leaving organization: its factors in the order of their classes. One row for all of them is
-- joined by equal keys; a join by class compares every document with every factor.
factors_in_order as (

    select
        collection_key,
        pool_key,
        left_out_organization_key,
        any_value(support_limits) as support_limits,
        list(factor order by support_class) as factors
    from relevance_factors
    group by all

),

-- the same rows with the probability, which the examples of other organizations scale; without an example nothing
-- does
expected as (

    select
        described.* exclude (organization_key, overlap),
        least(
            1,
            coalesce(
                factors_in_order.factors[
                    {{ support_class('factors_in_order.support_limits', 'described.support', 'described.overlap') }}
                    + 1
                ],
                1
            ) * described.rare_precision * described.topic_precision
        ) as probability
    from described
    left join factors_in_order
        on
            described.collection_key = factors_in_order.collection_key
            and described.pool_key = factors_in_order.pool_key
            and described.organization_key = factors_in_order.left_out_organization_key

)

select * from expected
