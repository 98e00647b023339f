{{ config(
    materialized='own_macro', arguments=['collection', 'chosen_pools', 'of_runs', 'is_of_every_topic']
) }}

with

{{ imports('int_topics', 'int_documents') }},

planned_runs as (

    select * from {{ ref('int_planned_runs') }}(collection, of_runs, false)

),

-- one row per run of the pools, topic and document that the run returns
lines as (

    select
        pooled_lines.*,
        planned_runs.organization_key
    from {{ ref('int_pooled_lines') }}(collection, 'take', of_runs, is_of_every_topic) as pooled_lines
    inner join planned_runs using (collection_key, run_key)

),

-- one row per topic, document and organization that returns it: its best rank
best_ranks as (

    select
        collection_key,
        topic_key,
        doc_key,
        organization_key,
        min(rank) as rank
    from lines
    group by all

),

-- one row per topic and document: the organization that ranks it best, and the best rank of the others
ranked as (

    select
        collection_key,
        topic_key,
        doc_key,
        min(rank) as best_rank,
        arg_min(organization_key, rank) as organization_key,
        min(rank, 2)[2] as other_rank
    from best_ranks
    group by all

),

-- one row per pool, topic and document: the organization without which the document leaves, if there is one. It alone
-- contributes the document down to the depth of the topic, the lowest rank from which a document of the pool comes.
pool_documents as (

    select
        chosen.strategy,
        chosen.budget,
        ranked.topic_key,
        ranked.doc_key,
        case
            when
                {{ is_contribution(
                    'ranked.other_rank',
                    'max(ranked.best_rank) over (partition by chosen.strategy, chosen.budget, ranked.topic_key)'
                ) }}
                then null
            else ranked.organization_key
        end as sole_organization_key
    from query_table(chosen_pools) as chosen
    inner join topics on chosen.topic_id = topics.topic_id
    inner join documents
        on
            topics.collection_key = documents.collection_key
            and chosen.doc_id = documents.doc_id
    inner join ranked
        on
            documents.collection_key = ranked.collection_key
            and topics.topic_key = ranked.topic_key
            and documents.doc_key = ranked.doc_key

),

-- one row per pool and run: how many of its first documents the pool has, and has without the organization of the run
found as (

    select
        pool_documents.strategy,
        pool_documents.budget,
        lines.run_key,
        count(*) as n_found,
        count(*) filter (where {{ stays_judged('pool_documents.sole_organization_key', 'lines.organization_key') }})
            as n_staying
    from lines
    inner join pool_documents using (topic_key, doc_key)
    where lines.rank <= {{ n_first_ranks() }}
    group by all

),

-- one row per run: the number of its first documents, over topics
lengths as (

    select
        run_key,
        count(*) as n_documents
    from lines
    where rank <= {{ n_first_ranks() }}
    group by run_key

),

pools as (

    select distinct
        strategy,
        budget
    from query_table(chosen_pools)

),

-- one row per pool: means over runs
shares as (

    select
        pools.strategy,
        pools.budget,
        avg(1 - coalesce(found.n_found, 0) / lengths.n_documents) as unjudged_10,
        avg(1 - coalesce(found.n_staying, 0) / lengths.n_documents) as unjudged_10_left_out
    from pools
    cross join lengths
    left join found using (strategy, budget, run_key)
    group by all

)

select * from shares
