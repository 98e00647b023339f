{{ config(materialized='table') }}

with

{{ imports(
    'int_run_topics', 'int_measure_weights', 'int_top_weights', 'int_pool_depths', 'int_topic_pools',
    'int_pool_measures where pool_key = 0', judged_rankings='int_contributed_rankings where is_relevant is not null'
) }},

rankings as (

    select * from {{ ref('int_rankings') }}
    where
        {{ is_at_hand() }}
        and {{ is_run_at_hand() }}
        and rank <= {{ deepest_cutoff() }}

),

pooled_runs as (

    select * from {{ ref('int_pooled_runs') }}
    where {{ is_at_hand() }}

),

-- one row per run and measure: its top documents, and their weight
top_documents as (

    select
        run_topics.collection_key,
        run_topics.run_key,
        pool_measures.measure,
        count(*) as n_topics,
        sum(top_weights.n_top) as n_documents,
        sum(top_weights.weight) as weight
    from run_topics
    cross join pool_measures
    inner join top_weights
        on
            pool_measures.measure = top_weights.measure
            and top_weights.n_top = least(run_topics.n_retrieved, pool_measures.cutoff)
    group by all

),

-- the judged documents among them
judged_documents as (

    select
        judged_rankings.run_key,
        measure_weights.measure,
        count(*) as n_documents,
        sum(measure_weights.weight) as weight
    from judged_rankings
    inner join measure_weights using (rank)
    group by all

),

-- the documents that the pool has, or would have, from the run's organization alone
brought_documents as (

    select
        rankings.run_key,
        rankings.rank
    from rankings
    inner join topic_pools using (collection_key, topic_key)
    inner join pool_depths using (collection_key)
    left join pooled_runs using (run_key)
    left join judged_rankings using (run_key, topic_key, rank)
    where
        coalesce(
            {{ is_contribution(
                'rankings.pooling_rank',
                depth_on_topic('topic_pools', 'coalesce(pooled_runs.pool_depth, pool_depths.pool_depth)')
            ) }},
            true
        )
        and (
            judged_rankings.run_key is null
            or not {{ stays_judged('judged_rankings.sole_organization_key', 'pooled_runs.organization_key') }}
        )

),

-- one row per run and measure with such a document: their weight
brought as (

    select
        brought_documents.run_key,
        measure_weights.measure,
        sum(measure_weights.weight) as weight
    from brought_documents
    inner join measure_weights using (rank)
    group by all

),

-- one row per run and measure: the unjudged weights, as means over the topics that the run answers
residuals as (

    select
        top_documents.collection_key,
        top_documents.run_key,
        top_documents.measure,
        {{ residual(
            'top_documents.n_documents - coalesce(judged_documents.n_documents, 0)', 'top_documents.weight',
            'coalesce(judged_documents.weight, 0)'
        ) }} / top_documents.n_topics as residual,
        coalesce(brought.weight, 0) / top_documents.n_topics as residual_if_pooled
    from top_documents
    left join judged_documents using (run_key, measure)
    left join brought using (run_key, measure)

)

select * from residuals
