with

{{ imports('int_contributions', 'int_pool_runs') }},

-- one row per pool, topic, document and run of the pool that contributed it
pool_contributions as (

    select
        pool_runs.collection_key,
        pool_runs.pool_key,
        contributions.topic_key,
        contributions.doc_key,
        pool_runs.run_key,
        pool_runs.organization_key,
        contributions.rank
    from pool_runs
    inner join contributions using (collection_key, run_key)

)

select * from pool_contributions
