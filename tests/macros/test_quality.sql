with

rows_of (collection_id, run_id, is_met, number) as (

    values
    -- six rows are unexpected, of which five are a sample; JSON has no NaN, and a quote in a name stays in the name
    ('many', 'f', false, 1.0),
    ('many', 'e', false, 1.0),
    ('many', 'd', false, 1.0),
    ('many', 'c', false, 1.0),
    ('many', 'b', false, cast('infinity' as double)),
    ('many', 'a"', false, cast('nan' as double)),
    ('many', 'g', true, 0.5),
    ('many', 'h', null, null),
    -- nothing to look at; for a promise, null does not hold
    ('unknown', 'a', null, null)

),

figures as (

    select
        collection_id,
        {{ figures(
            counted('counted', 'is_met', naming=['run_id'], seen=['number'], has_share=true),
            promised('promised', 'is_met', naming=['run_id']),
            promised('promised_of_some', 'is_met', naming=['run_id'], of="run_id > 'f'"),
            values_of('number', object='run_id', naming=['run_id'])
        ) }}
    from rows_of
    group by collection_id

),

told as (

    select
        concat_ws(' ', collection_id, figure, object) as case_name,
        concat_ws(' ', n_values, n_unexpected, value, sample) as actual
    from figures

),

expected (case_name, expected) as (

    values
    (
        'many counted',
        '7 6 0.14285714285714285 [{"run_id":"a\"","number":null},{"run_id":"b","number":null},'
        || '{"run_id":"c","number":1.0},{"run_id":"d","number":1.0},{"run_id":"e","number":1.0}]'
    ),
    ('many promised', '8 7 [{"run_id":"a\""},{"run_id":"b"},{"run_id":"c"},{"run_id":"d"},{"run_id":"e"}]'),
    ('many promised_of_some', '2 1 [{"run_id":"h"}]'),
    ('many number a"', '1 nan [{"run_id":"a\"","number":null}]'),
    ('many number b', '1 inf [{"run_id":"b","number":null}]'),
    ('many number c', '1 1.0 [{"run_id":"c","number":1.0}]'),
    ('many number d', '1 1.0 [{"run_id":"d","number":1.0}]'),
    ('many number e', '1 1.0 [{"run_id":"e","number":1.0}]'),
    ('many number f', '1 1.0 [{"run_id":"f","number":1.0}]'),
    ('many number g', '1 0.5 [{"run_id":"g","number":0.5}]'),
    ('unknown counted', '0 []'),
    ('unknown promised', '1 1 [{"run_id":"a"}]'),
    ('unknown promised_of_some', '0 []')

),

compared as (

    select
        coalesce(told.case_name, expected.case_name) as case_name,
        told.actual,
        expected.expected
    from told
    full join expected using (case_name)

)

{{ wrong_cases('compared', n_cases=13) }}
