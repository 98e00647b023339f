with

{{ imports(
    'int_rank_steps', 'int_depth_evidence where of_run_key is null', voters='int_depth_voters where has_vote'
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

-- one row per collection: the depth that is more probable than all alternatives together
probable as (

    select * from depth_evidence
    where probability > 0.5

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
