with

rankings (case_name, rank, is_relevant) as (

    values
    ('first_and_third', 1, true),
    ('first_and_third', 2, false),
    ('first_and_third', 3, true),
    ('at_the_cutoff', 10, true),
    ('below_the_cutoff', 11, true),
    ('only_non_relevant', 1, false),
    ('nothing_judged', null, false)

),

expected_scores (case_name, expected_cut, expected_uncut) as (

    values
    -- 0.2 (0.8^0 + 0.8^2) and 0.5 (0.5^0 + 0.5^2)
    ('first_and_third', 0.328, 0.625),
    -- 0.2 * 0.8^9 and 0.5^10
    ('at_the_cutoff', 0.0268435456, 0.0009765625),
    -- 0 with the cutoff, and 0.5^11 without one, where every rank counts
    ('below_the_cutoff', 0.0, 0.00048828125),
    ('only_non_relevant', 0.0, 0.0),
    ('nothing_judged', 0.0, 0.0)

),

measured as (

    select
        case_name,
        {{ measure('RBP(p=0.8)@10') }} as actual_cut,
        {{ measure('RBP(p=0.5)') }} as actual_uncut
    from rankings
    group by case_name

),

compared as (

    select
        coalesce(measured.case_name, expected_scores.case_name) || ': RBP(p=0.8)@10' as case_name,
        measured.actual_cut as actual,
        expected_scores.expected_cut as expected
    from measured
    full join expected_scores on measured.case_name = expected_scores.case_name
    union all
    select
        coalesce(measured.case_name, expected_scores.case_name) || ': RBP(p=0.5)' as case_name,
        measured.actual_uncut as actual,
        expected_scores.expected_uncut as expected
    from measured
    full join expected_scores on measured.case_name = expected_scores.case_name

)

{{ wrong_cases('compared', n_cases=10, tolerance=1e-12) }}
