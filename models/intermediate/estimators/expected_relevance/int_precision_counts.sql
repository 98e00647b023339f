{{ config(materialized='table', meta={'rule': 'by_collection'}) }}

with

{{ imports('int_pool_runs', 'int_candidates', 'int_run_topics', 'int_pool_measures', 'int_other_contributors') }},

-- the runs of each pool, of which some may be no candidates, and the candidates outside of it
runs as (

    select
        collection_key,
        pool_key,
        run_key,
        organization_key,
        true as is_member
    from pool_runs
    union all
    select
        collection_key,
        pool_key,
        run_key,
        organization_key,
        false as is_member
    from candidates
    where not is_member

),

-- one row per pool; the subset top_75 repeats published tables, which have no such estimates
pools as (

    select distinct pool_key
    from pool_measures
    where subset = 'all'

),

-- one row per pool, run and judged topic that it answers
answers as (

    select
        runs.*,
        run_topics.topic_key
    from runs
    semi join pools using (pool_key)
    inner join run_topics using (collection_key, run_key)

),

-- the documents that a run contributed, and whether they are judged and other organizations contributed them
contributed as (

    select
        *,
        stays_judged and n_others > 0 as is_seen
    from other_contributors

),

-- the rows of answers with the numbers of these documents, and of the rare ones among the seen ones, which exactly one
-- other organization contributed
counted as (

    select
        answers.*,
        count(contributed.doc_key) as n_contributed,
        count(*) filter (where contributed.stays_judged) as n_staying,
        count(*) filter (where contributed.is_seen) as n_judged,
        count(*) filter (where contributed.is_seen and contributed.is_relevant) as n_relevant,
        count(*) filter (where contributed.is_seen and contributed.n_others = 1) as n_rare,
        count(*) filter (
            where contributed.is_seen and contributed.n_others = 1 and contributed.is_relevant
        ) as n_rare_relevant
    from answers
    left join contributed using (collection_key, pool_key, run_key, topic_key)
    group by all

)

select * from counted
