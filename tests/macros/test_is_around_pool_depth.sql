with

-- ranks near a depth of ten, and near the largest depth that can be declared
ranks (case_name, rank, pool_depth, expected) as (

    values
    ('first', 1, 10, true),
    ('at_the_depth', 10, 10, true),
    ('twice_the_depth', 20, 10, true),
    ('behind_that', 21, 10, false),
    ('largest_depth', 1, 2147483647, true),
    ('largest_of_both', 2147483647, 2147483647, true),
    ('no_depth', 1, null, null)

),

compared as (

    select
        case_name,
        {{ is_around_pool_depth('rank', 'pool_depth') }} as actual,
        expected
    from ranks

)

{{ wrong_cases('compared', n_cases=7) }}
