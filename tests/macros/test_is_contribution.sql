with

-- ranks near a depth of ten, and near the largest depth that can be declared
ranks (case_name, pooling_rank, pool_depth, expected) as (

    values
    ('first', 1, 10, true),
    ('at_the_depth', 10, 10, true),
    ('behind_it', 11, 10, false),
    ('largest_depth', 2147483647, 2147483647, true),
    ('no_depth', 1, null, null)

),

compared as (

    select
        case_name,
        {{ is_contribution('pooling_rank', 'pool_depth') }} as actual,
        expected
    from ranks

)

{{ wrong_cases('compared', n_cases=5) }}
