with

parsed as (

    select *
    from (
        values
        (
            'name_alone',
            '{{ tojson(parse_measure("AP"), sort_keys=true) }}',
            '{"cutoff": null, "name": "AP", "parameters": {}}'
        ),
        (
            'cutoff',
            '{{ tojson(parse_measure("nDCG@10"), sort_keys=true) }}',
            '{"cutoff": 10, "name": "nDCG", "parameters": {}}'
        ),
        (
            'parameter',
            '{{ tojson(parse_measure("RBP(p=0.8)"), sort_keys=true) }}',
            '{"cutoff": null, "name": "RBP", "parameters": {"p": "0.8"}}'
        ),
        (
            'parameters_and_cutoff',
            '{{ tojson(parse_measure("RBP(p=0.95 , rel = 2)@1000"), sort_keys=true) }}',
            '{"cutoff": 1000, "name": "RBP", "parameters": {"p": "0.95", "rel": "2"}}'
        ),
        (
            'no_parameter_between_the_brackets',
            '{{ tojson(parse_measure("P()@5"), sort_keys=true) }}',
            '{"cutoff": 5, "name": "P", "parameters": {}}'
        )
    ) as parsed (case_name, actual, expected)

),

fractions as (

    select
        case_name,
        {{ over_total('value', 'total') }} as actual,
        expected
    from (
        values
        ('part', 1, 4, 0.25),             -- a fraction, not an integer division
        ('nothing_found', 0, 4, 0.0),
        ('null_found', null, 4, 0.0),
        ('nothing_to_find', 0, 0, 0.0)    -- 0, not null, as trec_eval has it
    ) as fractions (case_name, value, total, expected)

),

-- one row per run, one column per measure
measured as (

    select *
    from (
        values
        ('run_a', 0.1, 0.2),
        ('run_b', 0.3, 0.0)
    ) as measured (run_id, "RBP(p=0.8)@10", "P@5")

),

expected_scores as (

    select *
    from (
        values
        ('run_a', 'P@5', 0.2),
        ('run_a', 'RBP(p=0.8)@10', 0.1),
        ('run_b', 'P@5', 0.0),
        ('run_b', 'RBP(p=0.8)@10', 0.3)
    ) as expected_scores (run_id, measure, expected)

),

scores as (

    {{ unpivot_measures('measured', ['P@5', 'RBP(p=0.8)@10']) }}

),

-- one row per run and measure
unpivoted as (

    select
        run_id || ': ' || measure as case_name,
        scores.score as actual,
        expected_scores.expected
    from scores
    full join expected_scores using (run_id, measure)

)

{{ wrong_cases('parsed', n_cases=5) }}
union all
{{ wrong_cases('fractions', n_cases=4, tolerance=1e-12) }}
union all
{{ wrong_cases('unpivoted', n_cases=4) }}
