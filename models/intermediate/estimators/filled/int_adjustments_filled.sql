with

{{ imports('quantiles', gains='int_filled_gains', deviations='int_filling_deviations') }},

{{ t_quantiles() }},

-- one row per candidate, level, author and measure: what the labels miss of the documents that other contributors
-- alone found, for each unit of their unjudged weight. These documents are judged when the candidate has left.
missed as (

    select
        gains.collection_key,
        gains.pool_key,
        gains.run_key,
        gains.level,
        gains.author_key,
        gains.measure,
        {{ missed_share_columns('deviations') }}
    from gains
    inner join deviations
        on
            gains.collection_key = deviations.collection_key
            and gains.pool_key = deviations.pool_key
            and gains.level = deviations.level
            and gains.author_key = deviations.author_key
            and gains.measure = deviations.measure
            and gains.contributor_key <> deviations.contributor_key
    group by all

),

-- one row per candidate, level, author and measure whose gain can be rectified, with its standard error
rectified as (

    select
        gains.*,
        gains.filled_gain + gains.unjudged_weight * missed.missed_share as rectified_gain,
        {{ rectified_standard_error('gains.unjudged_weight', 'missed') }} as standard_error,
        missed.degrees_of_freedom
    from gains
    inner join missed using (collection_key, pool_key, run_key, level, author_key, measure)

),

-- one row per candidate, level, author and measure, and one more where the gain can be rectified
adjustments as (

    select
        collection_key,
        pool_key,
        level,
        run_key,
        'nonrelevant' as unjudged,
        measure,
        concat('{{ filled_by() }}', author) as estimator,
        filled_gain as adjustment,
        {{ no_interval() }}
    from gains
    union all
    select
        rectified.collection_key,
        rectified.pool_key,
        rectified.level,
        rectified.run_key,
        'nonrelevant' as unjudged,
        rectified.measure,
        concat('{{ rectified_by() }}', rectified.author) as estimator,
        rectified.rectified_gain as adjustment,
        {{ t_interval_columns('rectified.rectified_gain', 'rectified.standard_error', prefix='ci') }}
    from rectified
    left join t_quantiles on {{ has_t_quantiles('rectified.degrees_of_freedom') }}

)

select * from adjustments
