with

rankings (case_name, rank, is_relevant) as (

    values
    ('two_of_five', 1, true),
    ('two_of_five', 2, false),
    ('two_of_five', 3, true),
    ('two_of_five', 6, true),
    ('at_the_cutoff', 5, true),
    ('below_the_cutoff', 6, true),
    ('short_ranking', 1, true),
    ('short_ranking', 2, true),
    ('judged_not_relevant', 1, false),
    ('nothing_judged', null, null)

),

expected_scores (case_name, expected) as (

    values
    ('two_of_five', 0.4),          -- ranks 1 and 3 of 5
    ('at_the_cutoff', 0.2),        -- rank 5 is within the cutoff
    ('below_the_cutoff', 0.0),     -- rank 6 is below the cutoff
    ('short_ranking', 0.4),        -- 2 documents are retrieved, but the divisor is 5
    ('judged_not_relevant', 0.0),
    ('nothing_judged', 0.0)        -- 0 and not null

),

measured as (

    select
        case_name,
        {{ measure('P@5') }} as actual
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
