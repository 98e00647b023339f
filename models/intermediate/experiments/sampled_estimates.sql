{{ config(materialized='table_macro', arguments=['collection', 'documents', 'width', 'depth']) }}

with

topic_scores as (

    select * from {{ ref('sampled_topic_scores') }}(collection, documents, depth)

),

losses as (

    select * from {{ ref('sampled_losses') }}(collection, documents, width, depth)

),

-- one row per sample, treatment of unjudged documents and measure: means over the judged topics
unadjusted as (

    select
        sample,
        unjudged,
        measure,
        avg(true_score) as true_score,
        avg(unpooled_score) as unpooled_score
    from topic_scores
    group by
        sample,
        unjudged,
        measure

),

-- one row per sample, treatment, measure and estimator (algorithm 1). What the pooled runs lose is
-- known for unjudged documents that count as non-relevant.
estimates as (

    select
        sample,
        unjudged,
        measure,
        'unadjusted' as estimator,
        true_score,
        unpooled_score as estimate
    from unadjusted
    union all
    select
        unadjusted.sample,
        unadjusted.unjudged,
        unadjusted.measure,
        {{ webber_park_estimator('losses.has_substitution') }} as estimator,
        unadjusted.true_score,
        unadjusted.unpooled_score + losses.mean_loss as estimate
    from unadjusted
    inner join losses
        on
            unadjusted.sample = losses.sample
            and unadjusted.measure = losses.measure
    where unadjusted.unjudged = 'nonrelevant'

)

select * from estimates
