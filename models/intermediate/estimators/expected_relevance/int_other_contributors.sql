with

{{ imports(
    'int_pool_contributions', 'int_pool_runs', 'int_pool_measures', 'int_pool_documents', 'int_candidates',
    'int_contributions'
) }},

judgements as (

    select * from {{ ref('int_judgements') }}
    where
        {{ is_at_hand() }}
        and is_judged

),

-- the subset top_75 repeats published tables, which have no such estimates
pools as (

    select distinct pool_key
    from pool_measures
    where subset = 'all'

),

-- one row per pool, run and judged document that it contributed, seen without the organization of the run
seen_by_others as (

    select
        pool_contributions.collection_key,
        pool_contributions.pool_key,
        pool_contributions.run_key,
        pool_contributions.organization_key,
        true as is_member,
        pool_contributions.topic_key,
        pool_contributions.doc_key,
        pool_contributions.rank,
        pool_documents.is_relevant,
        pool_documents.n_organizations - 1 as n_others,
        case
            when pool_documents.n_organizations = 2
                then pool_documents.organization_keys - pool_contributions.organization_key
        end as other_organization_key,
        pool_documents.n_organizations > 1 as stays_judged
    from pool_contributions
    inner join pools using (pool_key)
    inner join pool_documents using (collection_key, pool_key, topic_key, doc_key)
    where pool_documents.is_relevant is not null

),

-- the pools with a run
filled_pools as (

    select distinct
        collection_key,
        pool_key
    from pool_runs

),

-- one row per pool, candidate that is not in it and document that pooled runs of its organization contributed
brought_by_siblings as (

    select distinct
        candidates.pool_key,
        candidates.run_key,
        pool_contributions.topic_key,
        pool_contributions.doc_key
    from candidates
    inner join pool_contributions
        on
            candidates.collection_key = pool_contributions.collection_key
            and candidates.pool_key = pool_contributions.pool_key
            and candidates.own_organization_key = pool_contributions.organization_key
    where not candidates.is_member

),

-- one row per pool, candidate that is not in it and document that it would have contributed, seen by the other organizations
seen_by_all as (

    select
        candidates.collection_key,
        candidates.pool_key,
        candidates.run_key,
        candidates.organization_key,
        false as is_member,
        contributions.topic_key,
        contributions.doc_key,
        contributions.rank,
        judgements.is_relevant,
        coalesce(pool_documents.n_organizations, 0)
        - cast(brought_by_siblings.doc_key is not null as integer) as n_others,
        null as other_organization_key,
        judgements.is_relevant is not null as stays_judged
    from candidates
    semi join filled_pools as pools using (collection_key, pool_key)
    inner join contributions using (collection_key, run_key)
    left join pool_documents using (collection_key, pool_key, topic_key, doc_key)
    left join judgements using (collection_key, topic_key, doc_key)
    left join brought_by_siblings using (pool_key, run_key, topic_key, doc_key)
    where not candidates.is_member

),

other_contributors as (

    select * from seen_by_others
    union all
    select * from seen_by_all

)

select * from other_contributors
