with

grades (case_name, grade, threshold, expected_judged, expected_relevant) as (

    values
    -- pooled but unjudged: the document should be neither, for any threshold
    ('negative', -1, 1, false, false),
    ('negative_at_threshold_0', -1, 0, false, false),
    ('negative_above_a_negative_threshold', -1, -2, false, false),
    -- 0 is a judgement
    ('zero', 0, 1, true, false),
    ('zero_at_threshold_0', 0, 0, true, true),
    ('at_the_threshold', 1, 1, true, true),
    ('below_a_higher_threshold', 1, 2, true, false),
    ('at_a_higher_threshold', 2, 2, true, true),
    ('above_the_threshold', 4, 2, true, true)

),

compared as (

    select
        case_name || ': judged' as case_name,
        {{ is_judged('grade') }} as actual,
        expected_judged as expected
    from grades
    union all
    select
        case_name || ': relevant' as case_name,
        {{ is_relevant('grade', 'threshold') }} as actual,
        expected_relevant as expected
    from grades

)

{{ wrong_cases('compared', n_cases=18) }}
