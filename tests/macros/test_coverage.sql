with

-- runs with a true score and intervals around 0: the intervals of 68 % miss the last three runs, and runs without an
-- interval do not count
estimates as (

    select
        case_name,
        case when place > n_intervals - 3 then -0.3 else 0.2 end as true_score,
        case when place <= n_intervals then -0.2 end as ci_68_low,
        case when place <= n_intervals then 0.2 end as ci_68_high,
        case when place <= n_intervals then -0.3 end as ci_95_low,
        case when place <= n_intervals then 0.3 end as ci_95_high
    from (values ('none', 0), ('three', 3), ('nine', 9), ('ten', 10), ('twenty', 20)) as listed (case_name, n_intervals)
    cross join range(1, 22) as places (place)

),

told as (

    select
        case_name,
        {{ coverage_columns('estimates') }}
    from estimates
    group by case_name

),

expected (case_name, n_intervals, coverage_68, coverage_95) as (

    values
    ('none', 0, null, null),
    ('three', 3, null, null),
    ('nine', 9, null, null),
    ('ten', 10, 0.7, 1.0),
    ('twenty', 20, 0.85, 1.0)

),

compared as (

    select
        told.case_name,
        [told.n_intervals, told.coverage_68, told.coverage_95] as actual,
        [expected.n_intervals, expected.coverage_68, expected.coverage_95] as expected
    from told
    inner join expected on told.case_name = expected.case_name

)

{{ wrong_cases('compared', n_cases=5) }}
