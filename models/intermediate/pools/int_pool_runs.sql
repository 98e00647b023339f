{{ config(materialized='table') }}

with

{{ imports('int_pooled_runs', 'int_runs', 'int_run_topics', 'int_pool_measures', 'int_measure_weights') }},

relevant_documents as (

    select * from {{ ref('int_judged_rankings') }}
    where
        {{ is_at_hand() }}
        and is_relevant
        and rank <= {{ deepest_cutoff() }}

),

-- every pooled run
all_runs as (

    select
        collection_key,
        0 as pool_key,
        run_key,
        organization_key
    from pooled_runs

),

-- one row per run: number of judged topics that it answers
answers as (

    select
        run_key,
        count(*) as n_topics
    from run_topics
    group by all

),

-- one row per run and measure with a relevant document. The weights are those of int_scores, which is not read: another
-- measure in the marts would make the pools again.
summed as (

    select
        relevant_documents.run_key,
        measure_weights.measure,
        sum(measure_weights.weight) as score
    from relevant_documents
    inner join measure_weights using (rank)
    group by all

),

-- pooled runs with their place by the mean of each measure over the topics that they answer; ties are broken by run id
-- descending
placed as (

    select
        pooled_runs.collection_key,
        pool_measures.pool_key,
        pooled_runs.run_key,
        pooled_runs.organization_key,
        row_number() over (
            partition by pooled_runs.collection_key, pool_measures.pool_key
            order by {{ comparable('coalesce(summed.score, 0) / answers.n_topics') }} desc, runs.run_id desc
        ) as place,
        count(*) over (partition by pooled_runs.collection_key, pool_measures.pool_key) as n_runs
    from pooled_runs
    inner join runs using (run_key)
    inner join answers using (run_key)
    inner join pool_measures on pool_measures.subset = 'top_75'
    left join summed using (run_key, measure)

),

-- the best of them: the share of the pooled runs, rounded half up
top_runs as (

    select
        collection_key,
        pool_key,
        run_key,
        organization_key
    from placed
    where place <= floor({{ var('top_subset_share') }} * n_runs + 0.5)

),

pool_runs as (

    select * from all_runs
    union all
    select * from top_runs

)

select * from pool_runs
