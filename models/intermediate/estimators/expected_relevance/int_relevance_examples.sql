{{ config(materialized='table') }}

with

{{ imports('int_other_contributors', 'int_run_precisions', 'int_document_support') }},

-- one row per pool and document that an organization alone contributed, or together with one other organization:
-- how often its runs contributed it, the sum of their products of precisions, and their mean overlap with others
examples as (

    select
        other_contributors.collection_key,
        other_contributors.pool_key,
        other_contributors.topic_key,
        other_contributors.doc_key,
        other_contributors.organization_key,
        other_contributors.other_organization_key,
        other_contributors.is_relevant,
        count(*) as n_contributions,
        sum(run_precisions.rare_precision * run_precisions.topic_precision) as precision_product,
        avg(run_precisions.overlap) as overlap
    from other_contributors
    inner join run_precisions using (collection_key, pool_key, run_key, topic_key)
    where
        other_contributors.is_member
        and other_contributors.n_others <= 1
    group by all

),

-- one row per pool and document
totals as (

    select
        collection_key,
        pool_key,
        topic_key,
        doc_key,
        sum(support) as support
    from document_support
    group by all

),

-- the same rows as examples, with the support by organizations other than the contributor
supported as (

    select
        examples.*,
        totals.support - coalesce(document_support.support, 0) as support
    from examples
    inner join totals using (collection_key, pool_key, topic_key, doc_key)
    left join document_support using (collection_key, pool_key, topic_key, doc_key, organization_key)

)

select * from supported
