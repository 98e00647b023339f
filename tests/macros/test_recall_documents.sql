with

cases (recall_level, n_relevant, expected_in_9, expected_in_10) as (

    values
    (0.0, 5, 0, 0),
    -- 0.1 + 0.9 is 1, and 0.1 rounds to 0
    (0.1, 1, 1, 0),
    (0.1, 4, 1, 0),
    -- a half rounds away from zero
    (0.1, 5, 1, 1),
    (0.3, 4, 2, 1),
    (0.5, 5, 3, 3),
    -- 0.7 of 3 is 2.0999999999999996 as a double: exact decimals would give 3 in version 9
    (0.7, 3, 2, 2),
    (1.0, 7, 7, 7)

),

compared as (

    select
        concat_ws(' ', 'version 9, level', recall_level, 'of', n_relevant) as case_name,
        {{ recall_documents('recall_level', 'n_relevant', 9) }} as actual,
        expected_in_9 as expected
    from cases
    union all
    select
        concat_ws(' ', 'version 10, level', recall_level, 'of', n_relevant) as case_name,
        {{ recall_documents('recall_level', 'n_relevant', 10) }} as actual,
        expected_in_10 as expected
    from cases

)

{{ wrong_cases('compared', n_cases=16) }}
