with

rankings (case_name, rank, is_relevant, n_relevant) as (

    values
    ('two_of_four', 1, true, 4),
    ('two_of_four', 2, false, 4),
    ('two_of_four', 100, true, 4),
    ('two_of_four', 101, true, 4),
    ('more_relevant_than_the_cutoff', 7, true, 200),
    ('none_found', null, false, 3),
    ('nothing_to_find', 1, false, 0)

),

expected_scores (case_name, expected) as (

    values
    ('two_of_four', 0.5),                      -- ranks 1 and 100; 101 is below the cutoff
    ('more_relevant_than_the_cutoff', 0.005),  -- 1/200 and not 1/100
    ('none_found', 0.0),
    ('nothing_to_find', 0.0)                   -- 0 and not null, as in trec_eval

),

measured as (

    select
        case_name,
        {{ measure('R@100') }} as actual
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

{{ wrong_cases('compared', n_cases=4, tolerance=1e-12) }}
