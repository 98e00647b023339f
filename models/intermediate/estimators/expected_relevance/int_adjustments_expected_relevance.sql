with

{{ imports('int_levels', gains='int_expected_gains', deviations='int_relevance_deviations') }},

-- what leaves with a candidate is its organization. Where there is level run alone, each run is an organization of
-- its own.
level_of_organizations as (

    select min(level) as level
    from levels

),

-- one row per candidate and measure: how much more the gains of runs of other organizations vary than they would if
-- documents were independent, and their mean unjudged weight
dispersions as (

    select
        gains.collection_key,
        gains.pool_key,
        gains.run_key,
        gains.measure,
        greatest(sum(deviations.squared_error) / nullif(sum(deviations.variance), 0), 1) as dispersion,
        any_value(deviations.mean_unjudged_weight) as mean_unjudged_weight,
        cast(count(*) as integer) as n_organizations
    from gains
    inner join deviations
        on
            gains.collection_key = deviations.collection_key
            and gains.pool_key = deviations.pool_key
            and gains.measure = deviations.measure
            and gains.organization_key <> deviations.organization_key
    group by all

),

-- one row per candidate and measure
adjustments as (

    select
        gains.collection_key,
        gains.pool_key,
        level_of_organizations.level,
        gains.run_key,
        'nonrelevant' as unjudged,
        gains.measure,
        'expected_relevance' as estimator,
        gains.expected_gain as adjustment,
        sqrt(
            dispersions.dispersion * gains.variance
            * {{ distance_from_pool('gains.unjudged_weight', 'dispersions.mean_unjudged_weight') }}
        ) as standard_error,
        dispersions.n_organizations as degrees_of_freedom
    from gains
    cross join level_of_organizations
    left join dispersions using (collection_key, pool_key, run_key, measure)

)

select * from adjustments
