{#- The cases are every combination of differences and their directions. -#}
with

cases (case_name, performance_differs, assessment_differs, difference, assessment_difference, expected) as (

    values
    ('nothing_differs', false, false, 0.1, 0.1, 1),
    ('assessment_alone', false, true, 0.1, 0.1, 2),
    ('assessment_alone_against_the_order', false, true, 0.1, -0.1, 2),
    ('performance_alone', true, false, 0.1, 0.1, 3),
    ('the_better_has_less_assessed', true, true, 0.1, -0.1, 3),
    ('the_other_is_better_and_has_less_assessed', true, true, -0.1, 0.1, 3),
    ('the_better_has_more_assessed', true, true, 0.1, 0.1, 4),
    ('the_other_is_better_and_has_more_assessed', true, true, -0.1, -0.1, 4),
    -- the result should be null: nothing could be tested
    ('performance_was_not_tested', null, false, 0.1, 0.1, null),
    ('assessment_was_not_tested', true, null, 0.1, 0.1, null)

),

compared as (

    select
        case_name,
        {{ decision_case('performance_differs', 'assessment_differs', 'difference', 'assessment_difference') }}
            as actual,
        expected
    from cases

)

{{ wrong_cases('compared', n_cases=10) }}
