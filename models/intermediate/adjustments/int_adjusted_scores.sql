{{ config(materialized='table', meta={'rule': 'by_pool'}) }}

with

unadjusted as (

    select * from {{ ref('int_adjustments_unadjusted') }}
    where {{ is_at_hand() }}

),

webber_park_systems as (

    select * from {{ ref('int_adjustments_webber_park_systems') }}
    where {{ is_at_hand() }}

),

lipani as (

    select * from {{ ref('int_adjustments_lipani') }}
    where {{ is_at_hand() }}

),

left_out_scores as (

    select * from {{ ref('int_left_out_scores') }}
    where {{ is_at_hand() }}

),

experiments as (

    select * from {{ ref('int_experiments') }}

),

pool_depths as (

    select * from {{ ref('int_pool_depths') }}
    where {{ is_at_hand() }}

),

-- one row per experiment, level, run and estimator
adjustments as (

    select * from unadjusted
    union all by name
    select * from webber_park_systems
    union all by name
    select * from lipani

),

-- the same rows with the scores that an adjustment starts from and aims at
adjusted as (

    select
        adjustments.collection_key,
        adjustments.run_key,
        adjustments.level,
        adjustments.subset,
        adjustments.measure,
        adjustments.estimator,
        reference.score as true_score,
        unpooled.score as unpooled_score,
        cast(adjustments.adjustment as double) as adjustment,
        unpooled.score + adjustments.adjustment as adjusted_score,
        unpooled.score + adjustments.adjustment - reference.score as error,
        experiments.cutoff > pool_depths.pool_depth as beyond_pool_depth
    from adjustments
    inner join experiments
        on
            adjustments.subset = experiments.subset
            and adjustments.measure = experiments.measure
    inner join pool_depths on adjustments.collection_key = pool_depths.collection_key
    inner join left_out_scores as reference
        on
            adjustments.collection_key = reference.collection_key
            and adjustments.run_key = reference.run_key
            and adjustments.level = reference.level
            and adjustments.measure = reference.measure
            and experiments.pool_key = reference.pool_key
            and reference.pool_view = 'reference'
    inner join left_out_scores as unpooled
        on
            adjustments.collection_key = unpooled.collection_key
            and adjustments.run_key = unpooled.run_key
            and adjustments.level = unpooled.level
            and adjustments.measure = unpooled.measure
            and experiments.pool_key = unpooled.pool_key
            and unpooled.pool_view = 'unpooled'

)

select * from adjusted
