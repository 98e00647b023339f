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
        cast(depth_evidence.probability as double) as probability
    from depth_evidence
    inner join collections on depth_evidence.collection_key = collections.collection_key

)

select * from named
