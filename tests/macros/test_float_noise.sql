with

-- as a sum of floats, 0.1 + 0.2 is 0.30000000000000004
cases (case_name, actual, expected) as (

    values
    (
        'comparable_sums',
        {{ comparable('0.1::double + 0.2::double') }} = {{ comparable('0.3::double') }},
        true
    ),
    (
        'comparable_keeps_a_difference_of_a_document',
        {{ comparable('0.300000004::double') }} = {{ comparable('0.3::double') }},
        false
    ),
    (
        'signed_zero_is_not_above_zero',
        {{ signed('0.1::double + 0.2::double - 0.3::double') }} > 0,
        false
    ),
    (
        'signed_keeps_a_small_product',
        {{ signed('2e-8::double') }} > 0,
        true
    )

)

{{ wrong_cases('cases', n_cases=4) }}
