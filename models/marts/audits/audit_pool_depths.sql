with

{{ imports('int_collections', 'int_pool_depths', 'int_pooled_runs', 'int_depth_evidence where of_run_key is null') }},

-- one row per collection and depth to which runs were pooled
run_counts as (

    select
        collection_key,
        pool_depth,
        count(*) as n_runs
    from pooled_runs
    group by all

),

named as (

    select
        collections.collection_id,
        depth_evidence.depth,
        depth_evidence.n_runs,
        depth_evidence.n_falls,
        depth_evidence.n_rises,
        depth_evidence.share_above,
        depth_evidence.share_below,
        depth_evidence.share_drop,
        depth_evidence.likelihood_ratio,
        cast(depth_evidence.probability as double) as probability,
        cast({{ if_pool_is_known('coalesce(run_counts.n_runs, 0)') }} as integer) as n_pooled_runs,
        case
            when pool_depths.is_own_inferred and pool_depths.pool_depth is not null
                then 'the runs have depths of their own'
            when pool_depths.is_own_inferred and depth_evidence.probability > 0.5
                then 'single runs show other depths, and most show none'
            when depth_evidence.probability > 0.5 then null
            when depth_evidence.probability > 0 then 'other cases together are more probable'
            when not {{ is_judged_enough('depth_evidence.share_above', 1) }}
                then 'the qrels lack more than a tenth of the documents down to this rank'
            else 'the share in the qrels drops too little at this rank'
        end as why_not
    from depth_evidence
    inner join collections using (collection_key)
    inner join pool_depths using (collection_key)
    left join run_counts
        on
            depth_evidence.collection_key = run_counts.collection_key
            and depth_evidence.depth = run_counts.pool_depth

)

select * from named
