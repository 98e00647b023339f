with

depth_evidence as (

    select * from {{ ref('int_depth_evidence') }}

),

collections as (

    select * from {{ ref('int_collections') }}

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
        case
            when depth_evidence.probability > 0.5 then null
            when depth_evidence.probability > 0 then 'other cases together are more probable'
            when not {{ is_judged_enough('depth_evidence.share_above', 1) }}
                then 'the qrels lack more than a tenth of the documents down to this rank'
            else 'the share in the qrels drops too little at this rank'
        end as why_not
    from depth_evidence
    inner join collections on depth_evidence.collection_key = collections.collection_key

)

select * from named
