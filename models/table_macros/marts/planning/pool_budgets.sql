{{ config(arguments=['collection', 'budgets := ' ~ planned_budgets(), 'of_runs := null']) }}

with

documents as (

    select * from {{ ref('pool_documents') }}(collection, 'depth', null, of_runs := of_runs)

),

{{ asked_ranks('budget', 'budgets') }},

-- one row per depth that brings a document: the number of documents of its pool
depths as (

    select
        best_rank as depth,
        any_value(cost) as n_documents,
        count(*) filter (where is_judged) as n_judged
    from documents
    group by best_rank

),

-- the same rows with the judged documents of the whole pool
pools as (

    select
        depth,
        n_documents,
        sum(n_judged) over (order by depth) as n_judged
    from depths

),

-- one row per budget
named as (

    select
        collection as collection_id,
        distinct_budgets.budget,
        coalesce(max(pools.depth) filter (where pools.n_documents <= distinct_budgets.budget), 0) as depth,
        coalesce(max(pools.n_documents) filter (where pools.n_documents <= distinct_budgets.budget), 0)
            as n_documents,
        cast(
            coalesce(max(pools.n_judged) filter (where pools.n_documents <= distinct_budgets.budget), 0) as bigint
        ) as n_judged,
        min(pools.n_documents) filter (where pools.n_documents > distinct_budgets.budget) as next_n_documents
    from distinct_budgets
    cross join pools
    group by distinct_budgets.budget

)

select * from named
