with

rankings as (

    select *
    from (
        values
        ('first', 1, true),
        ('behind_non_relevant', 1, false),
        ('behind_non_relevant', 4, true),
        ('first_of_several', 9, true),
        ('first_of_several', 2, true),
        ('first_of_several', 5, true),
        ('only_non_relevant', 1, false),
        ('nothing_judged', null, false)
    ) as rankings (case_name, rank, is_relevant)

),

expected_scores as (

    select *
    from (
        values
        ('first', 1.0),
        ('behind_non_relevant', 0.25),  -- 1/4
        ('first_of_several', 0.5),      -- 1/2, whatever the order of the rows
        ('only_non_relevant', 0.0),
        ('nothing_judged', 0.0)         -- 0, not null
    ) as expected_scores (case_name, expected)

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
        case_name,
        measured.actual,
        expected_scores.expected
    from measured
    full join expected_scores using (case_name)

)

{{ wrong_cases('compared', n_cases=5, tolerance=1e-12) }}
