with

{{ imports(
    'int_rank_steps', 'int_depth_evidence where of_run_key is null', 'int_topic_pools where is_of_main_pool',
    voters='int_depth_voters where has_vote'
) }},

-- one row per collection with voters that answer a judged topic: whether the qrels lack a document of any of them,
-- so that they tell a depth
told as (

    select
        rank_steps.collection_key,
        sum(rank_steps.n_in_qrels) < sum(rank_steps.n_documents) as is_depth_told
    from rank_steps
    inner join voters using (run_key)
    group by rank_steps.collection_key

),

-- one row per collection whose topics were pooled differently: what the topics of the main pool show
of_main_pool as (

    select
        collection_key,
        any_value(pool_depth) as depth,
        any_value(confidence) as confidence
    from topic_pools
    where confidence is not null
    group by collection_key

),

-- one row per collection: the depth that is more probable than all alternatives together
probable as (

    select
        collection_key,
        depth,
        share_above,
        share_below,
        probability
    from depth_evidence
    anti join of_main_pool using (collection_key)
    where probability > 0.5
    union all by name
    select
        collection_key,
        depth,
        confidence as probability
    from of_main_pool

),

inferred as (

    select
        told.collection_key,
        told.is_depth_told,
        probable.depth as inferred_depth,
        probable.share_above,
        probable.share_below,
        probable.probability as confidence
    from told
    left join probable using (collection_key)

)

select * from inferred
