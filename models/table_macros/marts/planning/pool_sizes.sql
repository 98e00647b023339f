{{ config(arguments=['collection', 'depths := ' ~ planned_depths(), 'of_runs := null']) }}

with

topic_pool_sizes as (

    select * from {{ ref('topic_pool_sizes') }}(collection, depths := depths, of_runs := of_runs)

),

planned_runs as (

    select * from {{ ref('int_planned_runs') }}(collection, of_runs, false)

),

run_counts as (

    select max(n_runs) as n_runs from planned_runs

),

-- one row per depth
pool_sizes as (

    select
        topic_pool_sizes.collection_id,
        topic_pool_sizes.depth,
        max(run_counts.n_runs) as n_runs,
        cast(count(*) as integer) as n_topics,
        cast(sum(topic_pool_sizes.n_contributions) as bigint) as n_contributions,
        cast(sum(topic_pool_sizes.n_documents) as bigint) as n_documents,
        avg(topic_pool_sizes.n_documents) as documents_per_topic,
        min(topic_pool_sizes.n_documents) as least_documents,
        max(topic_pool_sizes.n_documents) as most_documents,
        cast(sum(topic_pool_sizes.n_judged) as bigint) as n_judged,
        cast(sum(topic_pool_sizes.n_of_one_run) as bigint) as n_of_one_run,
        cast(sum(topic_pool_sizes.n_of_one_organization) as bigint) as n_of_one_organization
    from topic_pool_sizes
    cross join run_counts
    group by all

)

select * from pool_sizes
