with

rankings (case_name, rank, is_relevant, n_relevant) as (

    values
    ('two_in_the_top_three', 1, true, 3),
    ('two_in_the_top_three', 2, false, 3),
    ('two_in_the_top_three', 3, true, 3),
    ('two_in_the_top_three', 4, true, 3),
    ('just_too_deep', 2, true, 1),
    ('none_found', null, false, 3),
    ('nothing_to_find', 1, false, 0)

),

expected_scores (case_name, expected) as (

    values
    ('two_in_the_top_three', 2 / 3),  -- ranks 1 and 3 of the top 3; rank 4 is below it
    ('just_too_deep', 0.0),           -- rank 2 with one relevant document
    ('none_found', 0.0),
    ('nothing_to_find', 0.0)          -- 0 and not null, as in trec_eval

),

measured as (

    select
        case_name,
        {{ measure('Rprec') }} as actual
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
