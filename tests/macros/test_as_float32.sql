with

cases (case_name, score, expected) as (

    values
    ('exact_in_32_bits', 0.5, 0.5),
    -- the nearest 32-bit float, with all its decimals
    ('rounded', 0.1, 0.10000000149011612),
    -- 2^24 + 1 lies between two floats; the even one is 2^24
    ('beyond_24_bits', 16777217.0, 16777216.0),
    -- two scores that differ as doubles are tied as floats
    ('tied_in_32_bits', 1.00000001, 1.0),
    ('negative', -7.25, -7.25),
    ('largest_float', 3.4028234663852886e38, 3.4028234663852886e38),
    ('rounded_to_the_largest_float', 3.4028235677973362e38, 3.4028234663852886e38),
    -- the result should be infinity, and not an error
    ('rounded_to_infinity', 3.4028235677973366e38, cast('infinity' as double)),
    ('beyond_the_range', 1e39, cast('infinity' as double)),
    ('largest_double', 1.7976931348623157e308, cast('infinity' as double)),
    ('beyond_the_negative_range', -1e39, cast('-infinity' as double)),
    -- the result should be 0, and not an error
    ('below_the_smallest_float', 1e-50, 0.0)

),

compared as (

    select
        case_name,
        cast({{ as_float32('score') }} as double) as actual,
        cast(expected as double) as expected
    from cases

),

-- the type of the result, which decides how scores are compared
types as (

    select
        'type' as case_name,
        typeof({{ as_float32('score') }}) as actual,
        'FLOAT' as expected
    from cases
    where case_name = 'rounded'

)

{{ wrong_cases('compared', n_cases=12) }}
union all
{{ wrong_cases('types', n_cases=1) }}
