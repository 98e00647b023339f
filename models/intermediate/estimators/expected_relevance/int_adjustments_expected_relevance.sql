with

{{ imports('int_levels', intervals="int_expected_intervals where target = 'if_pooled'") }},

-- what leaves with a candidate is its organization. Where there is level run alone, each run is an organization of
-- its own.
level_of_organizations as (

    select min(level) as level
    from levels

),

-- one row per candidate and measure
adjustments as (

    select
        intervals.collection_key,
        intervals.pool_key,
        level_of_organizations.level,
        intervals.run_key,
        'nonrelevant' as unjudged,
        intervals.measure,
        'expected_relevance' as estimator,
        intervals.expected_gain as adjustment
        {%- for name in interval_ends() %},
            intervals.{{ name }}
        {%- endfor %}
    from intervals
    cross join level_of_organizations

)

select * from adjustments
