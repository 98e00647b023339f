with

-- one rank in twenty
depths (case_name, pool_depth, expected) as (

    values
    ('no_gap_in_a_shallow_pool', 19, 0),
    ('one_gap', 20, 1),
    ('never_a_part_of_one', 39, 1),
    ('five_gaps', 100, 5),
    ('no_depth', null, null)

),

compared as (

    select
        case_name,
        {{ tolerated_gaps('pool_depth') }} as actual,
        expected
    from depths

)

{{ wrong_cases('compared', n_cases=5) }}
