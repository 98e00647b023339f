with

adjusted_scores as (

    select * from {{ ref('int_adjusted_scores') }}

),

collections as (

    select * from {{ ref('int_collections') }}

),

runs as (

    select * from {{ ref('int_runs') }}

),

named as (

    select
        collections.collection_id,
        runs.run_id,
        adjusted_scores.level,
        adjusted_scores.subset,
        adjusted_scores.measure,
        'nonrelevant' as unjudged,
        adjusted_scores.estimator,
        adjusted_scores.true_score,
        adjusted_scores.unpooled_score,
        adjusted_scores.adjustment,
        adjusted_scores.adjusted_score,
        adjusted_scores.error,
        adjusted_scores.beyond_pool_depth
    from adjusted_scores
    inner join collections on adjusted_scores.collection_key = collections.collection_key
    inner join runs on adjusted_scores.run_key = runs.run_key

)

select * from named
