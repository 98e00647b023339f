{{ config(arguments=['collection', 'definition', "n := null"]) }}

with

{{ imports('int_collections', 'int_pooled_runs', 'int_rankings', 'int_documents', 'int_judgements') }},

-- one row: the collection, and the depth of its pool; or an error that says which argument is wrong
asked_pool as (

    select
        case
            when collection is null then error('an argument is null')
            when max(collections.collection_key) is null then {{ no_such_collection('collection') }}
            when not bool_or(collections.is_judged) then {{ not_judged('collection') }}
            {{ wrong_fair_subset('max(pooled_runs.pool_depth)') }}
            else max(collections.collection_key)
        end as collection_key,
        -- at least one rank: without ranks, the engine reads no row and does not reach the error
        case when definition = 'depth' then greatest(n, 1) else max(pooled_runs.pool_depth) end as depth
    from collections
    left join pooled_runs using (collection_key)
    where collections.collection_id = collection

),

-- one row per topic, document of the qrels and organization that contributed it, with its best rank among the runs
-- of the organization
contributions as (

    select
        rankings.collection_key,
        rankings.topic_key,
        rankings.doc_key,
        pooled_runs.organization_key,
        any_value(judgements.grade) as grade,
        any_value(judgements.is_judged) as is_judged,
        any_value(judgements.is_relevant) as is_relevant,
        min(rankings.pooling_rank) as best_rank
    from asked_pool
    inner join pooled_runs using (collection_key)
    inner join rankings
        on
            pooled_runs.collection_key = rankings.collection_key
            and pooled_runs.run_key = rankings.run_key
            and {{ is_contribution('rankings.pooling_rank', 'least(asked_pool.depth, pooled_runs.pool_depth)') }}
    inner join judgements
        on
            rankings.collection_key = judgements.collection_key
            and rankings.topic_key = judgements.topic_key
            and rankings.doc_key = judgements.doc_key
    group by all

),

-- the same rows, with the number of organizations that contributed the document, and its best rank among all of
-- them
shared as (

    select
        *,
        count(*) over (partition by topic_key, doc_key) as n_organizations,
        min(best_rank) over (partition by topic_key, doc_key) as best_rank_of_all
    from contributions

),

-- the same rows with their order among all documents of the organization, and among those that it alone
-- contributed. The order is by best rank, and for equal ranks by document id.
ordered as (

    select
        shared.*,
        row_number() over (
            partition by shared.topic_key, shared.organization_key
            order by shared.best_rank, documents.doc_id
        ) as nth_contribution,
        row_number() over (
            partition by shared.topic_key, shared.organization_key, shared.n_organizations = 1
            order by shared.best_rank, documents.doc_id
        ) as nth_unique
    from shared
    inner join documents using (collection_key, doc_key)

),

-- one row per topic and organization that contributed to it: number of documents
counted as (

    select
        topic_key,
        organization_key,
        count(*) as n_contributions,
        count(*) filter (where n_organizations = 1) as n_unique
    from shared
    group by all

),

-- one row per topic: number of documents that are taken from every organization
taken as (

    select
        topic_key,
        coalesce(n, min(n_contributions)) as n_contributions,
        coalesce(n, min(n_unique)) as n_unique
    from counted
    group by topic_key

),

-- one row per topic and document that stays judged
fair as (

    select
        ordered.collection_key,
        ordered.topic_key,
        ordered.doc_key,
        any_value(ordered.grade) as grade,
        any_value(ordered.is_judged) as is_judged,
        any_value(ordered.is_relevant) as is_relevant,
        cast(any_value(ordered.best_rank_of_all) as integer) as best_rank,
        cast(any_value(ordered.n_organizations) as integer) as n_contributing_organizations
    from ordered
    inner join taken using (topic_key)
    where
        case definition
            when 'contributions' then ordered.nth_contribution <= taken.n_contributions
            when 'unique' then ordered.n_organizations > 1 or ordered.nth_unique <= taken.n_unique
            else true
        end
    group by all

)

select * from fair
