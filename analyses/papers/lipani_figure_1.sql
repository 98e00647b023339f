-- question: Do Lipani's indicators show the loss of a run?
-- about: papers
--
-- Figure 1 of Lipani et al. 2015, which plots Robust 2005 at cutoff 10: a row
-- per pooled run, subset and cutoff of P@n, with one organization left out.
-- Plot delta_precision, delta_anti_precision and bias_lambda against residual,
-- the true score minus the score outside the pool. Where no other run stays in
-- the pool, the run has no row.
with

{{ imports('int_collections', 'int_runs', 'int_pool_measures') }},

bias_indicators as (

    select * from {{ ref('int_bias_indicators') }}
    where level = 'organization'

),

adjusted_scores as (

    select * from {{ ref('int_adjusted_scores') }}
    where
        level = 'organization'
        and estimator = 'lipani'

),

-- one row per candidate and measure: a point of each of the three plots
points as (

    select
        collections.collection_id,
        runs.run_id,
        pool_measures.subset,
        bias_indicators.cutoff,
        adjusted_scores.beyond_pool_depth,
        bias_indicators.delta_precision,
        bias_indicators.delta_anti_precision,
        bias_indicators.bias_lambda,
        {{ unsigned_zero('adjusted_scores.true_score - adjusted_scores.unpooled_score') }} as residual
    from bias_indicators
    inner join adjusted_scores
        on
            bias_indicators.collection_key = adjusted_scores.collection_key
            and bias_indicators.pool_key = adjusted_scores.pool_key
            and bias_indicators.run_key = adjusted_scores.run_key
            and bias_indicators.measure = adjusted_scores.measure
    inner join pool_measures
        on
            bias_indicators.pool_key = pool_measures.pool_key
            and bias_indicators.measure = pool_measures.measure
    inner join collections on bias_indicators.collection_key = collections.collection_key
    inner join runs on bias_indicators.run_key = runs.run_key

)

select * from points
