with

rankings (case_name, rank, is_relevant) as (

    values
    ('two_of_five', 1, false),
    ('two_of_five', 2, true),
    ('two_of_five', 3, false),
    ('two_of_five', 6, false),
    ('at_the_cutoff', 5, false),
    ('below_the_cutoff', 6, false),
    ('short_ranking', 1, false),
    ('short_ranking', 2, false),
    ('judged_relevant', 1, true),
    ('pooled_and_unjudged', 1, null),
    ('nothing_judged', null, null),
    ('nothing_with_a_gain', null, false)

),

expected_scores (case_name, expected) as (

    values
    ('two_of_five', 0.4),         -- ranks 1 and 3 of 5
    ('at_the_cutoff', 0.2),       -- rank 5 is within the cutoff
    ('below_the_cutoff', 0.0),    -- rank 6 is below the cutoff
    ('short_ranking', 0.4),       -- missing positions are unjudged, not non-relevant
    ('judged_relevant', 0.0),
    ('pooled_and_unjudged', 0.0),
    ('nothing_judged', 0.0),      -- the empty row of a grid is not a document
    ('nothing_with_a_gain', 0.0)

),

measured as (

    select
        case_name,
        {{ measure('AntiP@5') }} as actual
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

{{ wrong_cases('compared', n_cases=8, tolerance=1e-12) }}
