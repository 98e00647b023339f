with

rankings (case_name, rank, is_relevant) as (

    values
    ('first', 1, true),
    ('behind_non_relevant', 1, false),
    ('behind_non_relevant', 4, true),
    ('first_of_several', 9, true),
    ('first_of_several', 2, true),
    ('first_of_several', 5, true),
    ('only_non_relevant', 1, false),
    ('nothing_judged', null, false)

),

expected_scores (case_name, expected) as (

    values
    ('first', 1.0),
    ('behind_non_relevant', 0.25),  -- 1/4
    ('first_of_several', 0.5),      -- 1/2, whatever the order of the rows
    ('only_non_relevant', 0.0),
    ('nothing_judged', 0.0)         -- 0, not null

),

measured as (

    select
        case_name,
        {{ measure('RR') }} as actual
    from rankings
    group by case_name

),

compared as (

    select
        coalesce(measured.case_name, expected_scores.case_name) as case_name,
        measured.actual,
        expected_scores.expected
    from measured
    full join expected_scores on measured.case_name = expected_scores.case_name

)

{{ wrong_cases('compared', n_cases=5, tolerance=1e-12) }}
