with

rankings (case_name, rank, is_relevant, nth_relevant, n_relevant) as (

    values
    ('all_found', 1, true, 1, 2),
    ('all_found', 2, false, 1, 2),
    ('all_found', 3, true, 2, 2),
    ('one_of_four_found', 2, true, 1, 4),
    ('deep', 1000, true, 1, 1),
    ('only_non_relevant_found', 1, false, 0, 3),
    ('none_found', null, false, 0, 3),
    ('nothing_to_find', null, false, 0, 0)

),

expected_scores (case_name, expected) as (

    values
    ('all_found', 5 / 6),              -- (1/1 + 2/3) / 2
    ('one_of_four_found', 0.125),      -- (1/2) / 4
    ('deep', 0.001),                   -- no cutoff
    ('only_non_relevant_found', 0.0),
    ('none_found', 0.0),
    ('nothing_to_find', 0.0)           -- 0, not null, as trec_eval has it

),

measured as (

    select
        case_name,
        {{ measure('AP') }} as actual
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

{{ wrong_cases('compared', n_cases=6, tolerance=1e-12) }}
