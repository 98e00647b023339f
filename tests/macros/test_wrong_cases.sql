{#- The other tests of this folder rely on this test: wrong cases and missing cases are found. -#}
with

compared (case_name, actual, expected) as (

    values
    ('equal', 1.0, 1.0),
    ('both_null', null, null),
    ('within_tolerance', 1.0, 1.05),
    -- the other cases should be found as wrong
    ('beyond_tolerance', 1.0, 1.5),
    ('not_a_number', cast('nan' as double), 1.0),
    ('null_for_a_number', null, 1.0),
    ('number_for_a_null', 1.0, null)

),

nothing as (

    select * from compared
    where false

),

-- the cases found by equality of numbers, by a tolerance, and in an empty comparison
found as (

    select
        'exact' as comparison,
        case_name
    from ({{ wrong_cases('compared', n_cases=7) }}) as found_exactly
    union all
    select
        'with_tolerance' as comparison,
        case_name
    from ({{ wrong_cases('compared', n_cases=7, tolerance=0.1) }}) as found_with_tolerance
    union all
    select
        'one_case_missing' as comparison,
        case_name
    from ({{ wrong_cases('compared', n_cases=8, tolerance=1) }}) as found_with_one_missing
    union all
    select
        'nothing_compared' as comparison,
        case_name
    from ({{ wrong_cases('nothing', n_cases=7) }}) as found_in_nothing

),

should_be_found (comparison, case_name) as (

    values
    ('exact', 'within_tolerance'),
    ('exact', 'beyond_tolerance'),
    ('exact', 'not_a_number'),
    ('exact', 'null_for_a_number'),
    ('exact', 'number_for_a_null'),
    ('with_tolerance', 'beyond_tolerance'),
    ('with_tolerance', 'not_a_number'),
    ('with_tolerance', 'null_for_a_number'),
    ('with_tolerance', 'number_for_a_null'),
    ('one_case_missing', 'not_a_number'),
    ('one_case_missing', 'null_for_a_number'),
    ('one_case_missing', 'number_for_a_null'),
    ('one_case_missing', 'number of cases'),
    ('nothing_compared', 'number of cases')

),

-- rows that only one side has
mistakes as (

    select
        coalesce(found.comparison, should_be_found.comparison) as comparison,
        coalesce(found.case_name, should_be_found.case_name) as case_name,
        case when found.case_name is null then 'missed' else 'invented' end as mistake
    from found
    full join should_be_found
        on
            found.comparison = should_be_found.comparison
            and found.case_name = should_be_found.case_name
    where
        found.case_name is null
        or should_be_found.case_name is null

)

select * from mistakes
