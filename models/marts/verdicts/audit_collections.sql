with

{{ imports(
    'int_collections', 'int_inferred_depths', 'int_pool_depths', 'int_topic_pools', 'int_pooled_runs', 'int_pool_edges',
    'int_judged_topics', 'int_unretrieved_judgements', 'int_outside_pool', 'int_topic_counts',
    'audit_official_results',
    verdicts='int_collection_verdicts', accuracies='int_estimate_accuracy'
) }},

-- one row per collection with pooled runs: what the qrels contain of them around the pool depth
edges as (

    select
        pool_edges.collection_key,
        sum(pool_edges.n_within_in_qrels) / sum(pool_edges.n_within) as share_within,
        sum(pool_edges.n_beyond_in_qrels) / nullif(sum(pool_edges.n_beyond), 0) as share_beyond
    from pool_edges
    inner join pooled_runs using (run_key)
    group by pool_edges.collection_key

),

-- one row per collection with a pool depth, whether its topics are of one pool or the qrels show the main one: only there
-- the depth that they show can be compared with a declared one
compared as (

    select topic_pools.collection_key
    from topic_pools
    inner join pool_depths using (collection_key)
    where pool_depths.pool_depth is not null
    group by topic_pools.collection_key
    having
        count(topic_pools.source) = 0
        or count(topic_pools.confidence) > 0

),

-- one row per judged collection
judgement_counts as (

    select
        collection_key,
        sum(n_pooled_documents) as n_documents
    from judged_topics
    group by collection_key

),

-- one row per collection that has unretrieved judgements
unretrieved_counts as (

    select
        collection_key,
        count(*) as n_unretrieved
    from unretrieved_judgements
    group by collection_key

),

-- one row per collection with published labels that no reading explains, or another one than that of the label
official_caveats as (

    select
        collection_id,
        concat_ws(
            '; ',
            'published results are not explained: '
            || string_agg(distinct label, ', ' order by label) filter (where reading is null),
            'published results mean other measures: '
            || string_agg(distinct label || ' is ' || reading, ', ' order by label || ' is ' || reading) filter (
                where reading is not null
            )
        ) as official_caveat
    from audit_official_results
    where
        not is_explained
        or reading <> measure
    group by collection_id

),

described as (

    select
        collections.collection_id,
        collections.declared_pool_depth,
        cast(inferred_depths.inferred_depth as integer) as inferred_pool_depth,
        cast(inferred_depths.share_above as double) as share_above,
        cast(inferred_depths.share_below as double) as share_below,
        cast(inferred_depths.confidence as double) as inferred_depth_confidence,
        cast(
            case
                when inferred_depths.is_depth_told and compared.collection_key is not null
                    then coalesce(inferred_depths.inferred_depth, 0) / collections.declared_pool_depth
            end as double
        ) as depth_ratio,
        cast(edges.share_within as double) as in_qrels_share_within,
        cast(edges.share_beyond as double) as in_qrels_share_beyond,
        cast(edges.share_beyond / nullif(edges.share_within, 0) as double) as in_qrels_share_kept,
        cast(coalesce(judgement_counts.n_documents, 0) as bigint) as n_in_qrels,
        cast(coalesce(unretrieved_counts.n_unretrieved, 0) as bigint) as n_unretrieved,
        cast(coalesce(unretrieved_counts.n_unretrieved, 0) / judgement_counts.n_documents as double)
            as unretrieved_share,
        outside_pool.share_judged_outside_pool,
        outside_pool.share_relevant_outside_pool,
        coalesce(verdicts.verdict, 'not judged yet') as verdict,
        nullif(
            concat_ws(
                '; ',
                verdicts.verdict_reasons,
                -- what fails on the judged topics needs no others to explain it
                case when verdicts.verdict <> 'not reusable' then topic_counts.topics_caveat end,
                official_caveats.official_caveat
            ), ''
        ) as verdict_reasons,
        verdicts.not_told,
        accuracies.accuracy as accuracy_with_estimates
    from collections
    left join judgement_counts using (collection_key)
    left join inferred_depths using (collection_key)
    left join compared using (collection_key)
    left join edges using (collection_key)
    left join unretrieved_counts using (collection_key)
    left join outside_pool using (collection_key)
    left join topic_counts using (collection_key)
    left join verdicts using (collection_key)
    left join accuracies using (collection_key)
    left join official_caveats using (collection_id)

)

select * from described
