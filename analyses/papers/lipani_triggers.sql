-- question: When should Lipani's correction be applied?
-- about: papers
--
-- Section 5.1 of Lipani et al. 2015: a row per collection, level, subset,
-- measure P@n and trigger, with the mean absolute error where the correction
-- is applied to the runs for which the trigger holds. The trigger `lambda` is
-- the estimator `lipani` of fct_estimator_errors. The paper finds that it is
-- the best trigger. On TREC-2 and TREC-COVID round 1 it is not
-- (docs/decisions/lipani_sweeps.md). Where no other run stays in the pool, the run does
-- not count.
with

{{ imports('int_bias_indicators', 'int_collections', 'int_pool_measures') }},

adjusted_scores as (

    select * from {{ ref('int_adjusted_scores') }}
    where estimator = 'lipani'

),

-- one row per trigger
triggers as (

    {% for trigger in lipani_triggers() %}
        select '{{ trigger }}' as trigger
        {{ 'union all' if not loop.last }}
    {% endfor %}

),

-- one row per candidate, level, measure and trigger: whether it holds
triggered as (

    select
        bias_indicators.*,
        triggers.trigger,
        {{ is_triggered('triggers.trigger') }} as is_triggered
    from bias_indicators
    cross join triggers

),

-- the same rows with the adjustment that follows
adjustments as (

    select
        *,
        {{ lipani_adjustment('is_triggered') }} as adjustment
    from triggered

),

-- the same rows with the error of the adjusted score
errors as (

    select
        adjustments.*,
        adjusted_scores.unpooled_score + adjustments.adjustment - adjusted_scores.true_score as error
    from adjustments
    inner join adjusted_scores
        on
            adjustments.collection_key = adjusted_scores.collection_key
            and adjustments.pool_key = adjusted_scores.pool_key
            and adjustments.level = adjusted_scores.level
            and adjustments.run_key = adjusted_scores.run_key
            and adjustments.measure = adjusted_scores.measure

),

-- one row per collection, level, subset, measure and trigger
summed_up as (

    select
        collections.collection_id,
        errors.level,
        pool_measures.subset,
        errors.measure,
        errors.trigger,
        cast(count(*) as integer) as n_runs,
        cast(count(*) filter (where errors.is_triggered) as integer) as n_triggered,
        cast(count(*) filter (where {{ signed('errors.adjustment') }} > 0) as integer) as n_corrected,
        avg(abs(errors.error)) as mae
    from errors
    inner join pool_measures
        on
            errors.pool_key = pool_measures.pool_key
            and errors.measure = pool_measures.measure
    inner join collections on errors.collection_key = collections.collection_key
    group by all

)

select * from summed_up
