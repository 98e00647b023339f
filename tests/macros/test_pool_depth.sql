with

-- one rank in twenty, or mean plus four standard deviations of the number that is missing by chance
depths (case_name, pool_depth, missing_share, expected) as (

    values
    ('no_gap_in_a_shallow_pool', 19, 0, 0),
    ('one_gap', 20, 0, 1),
    ('never_a_part_of_one', 39, 0, 1),
    ('five_gaps', 100, 0, 5),
    ('few_missing_in_a_deep_pool', 100, 0.001, 5),
    -- 3 + 4 * sqrt(2.91) = 9.82
    ('more_are_missing_by_chance', 100, 0.03, 10),
    -- 0.1 + 4 * sqrt(0.099) = 1.36
    ('in_a_shallow_pool', 10, 0.01, 2),
    -- 10 + 4 * sqrt(9) = 22
    ('no_float_above_a_whole_number', 100, 0.1, 22),
    ('no_depth', null, 0, null)

),

compared as (

    select
        case_name,
        {{ tolerated_gaps('pool_depth', 'missing_share') }} as actual,
        expected
    from depths

)

{{ wrong_cases('compared', n_cases=9) }}
