with

{{ imports(effects='int_merge_effects') }},

candidate_scores as (

    select * from {{ ref('int_candidate_scores') }}
    where
        judged_by = 'pool'
        and unjudged = 'nonrelevant'

),

-- one row per candidate, level and measure: the mean effect on the other runs
mean_effects as (

    select
        collection_key,
        pool_key,
        level,
        measure,
        cutoff,
        candidate_run_key as run_key,
        avg(delta_precision) as delta_precision,
        avg(delta_anti_precision) as delta_anti_precision
    from effects
    group by all

),

-- the same rows with the figures of the candidate itself at the cutoff, when it has left the pool
indicators as (

    select
        mean_effects.collection_key,
        mean_effects.pool_key,
        mean_effects.run_key,
        mean_effects.level,
        mean_effects.measure,
        mean_effects.cutoff,
        candidate_scores.score as precision,
        candidate_scores.anti_score as anti_precision,
        {{ unjudged_rate('candidate_scores.score', 'candidate_scores.anti_score') }} as unjudged_rate,
        mean_effects.delta_precision,
        mean_effects.delta_anti_precision,
        {{ delta_unjudged_rate(
            'mean_effects.delta_precision', 'mean_effects.delta_anti_precision'
        ) }} as delta_unjudged_rate
    from mean_effects
    inner join candidate_scores using (collection_key, pool_key, run_key, level, measure)

),

-- the same rows with the indicators that follow from both
judged as (

    select
        *,
        {{ lipani_lambda() }} as bias_lambda
    from indicators

)

select * from judged
