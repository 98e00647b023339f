with

parsed (case_name, actual, expected) as (

    values
    (
        'name_alone',
        '{{ tojson(parse_measure("AP"), sort_keys=true) }}',
        '{"cutoff": null, "id": "AP", "name": "AP", '
        || '"parameters": {"judged_only": "false", "rel": null}, "rows": "gains"}'
    ),
    (
        'cutoff',
        '{{ tojson(parse_measure("nDCG@10"), sort_keys=true) }}',
        '{"cutoff": "10", "id": "nDCG@10", "name": "nDCG", '
        || '"parameters": {"dcg": "log2", "gains": null, "judged_only": "false"}, "rows": "gains"}'
    ),
    (
        'recall_level',
        '{{ tojson(parse_measure("IPrec@0.1"), sort_keys=true) }}',
        '{"cutoff": "0.1", "id": "IPrec@0.1", "name": "IPrec", '
        || '"parameters": {"judged_only": "false", "rel": null}, "rows": "gains"}'
    ),
    (
        'parameter',
        '{{ tojson(parse_measure("RBP(p=0.95)"), sort_keys=true) }}',
        '{"cutoff": null, "id": "RBP(p=0.95)", "name": "RBP", '
        || '"parameters": {"p": "0.95", "rel": null}, "rows": "gains"}'
    ),
    (
        'parameter_that_is_not_written',
        '{{ tojson(parse_measure("RBPResidual@10"), sort_keys=true) }}',
        '{"cutoff": "10", "id": "RBPResidual@10", "name": "RBPResidual", '
        || '"parameters": {"p": 0.8}, "rows": "judged"}'
    ),
    (
        'parameters_and_cutoff',
        '{{ tojson(parse_measure("RBP(rel=2,p=0.95)@1000"), sort_keys=true) }}',
        '{"cutoff": "1000", "id": "RBP(rel=2,p=0.95)@1000", "name": "RBP", '
        || '"parameters": {"p": "0.95", "rel": "2"}, "rows": "gains"}'
    ),
    ('usage_with_all', '{{ measure_usage(measure_signatures()["RBP"]) }}', 'RBP[(p=0.8,rel=l)][@k]'),
    ('usage_with_nothing', '{{ measure_usage(measure_signatures()["NumQ"]) }}', 'NumQ'),
    (
        'usage_with_recall',
        '{{ measure_usage(measure_signatures()["IPrec"]) }}',
        'IPrec[(rel=l,judged_only=false)]@recall'
    ),
    ('usage_with_multiple', '{{ measure_usage(measure_signatures()["RprecMult"]) }}', 'RprecMult[(rel=l)]@x'),
    (
        'usage_with_gains',
        '{{ measure_usage(measure_signatures()["nDCG"]) }}',
        'nDCG[(dcg=log2,gains={l:g},judged_only=false)][@k]'
    )

),

fractions (case_name, value, total, expected) as (

    values
    ('part', 1, 4, 0.25),           -- the division is not of integers
    ('nothing_found', 0, 4, 0.0),
    ('null_found', null, 4, 0.0),
    ('nothing_to_find', 0, 0, 0.0)  -- 0 and not null, as in trec_eval

),

divided as (

    select
        case_name,
        {{ over_total('value', 'total') }} as actual,
        expected
    from fractions

),

-- run_a finds its documents at ranks 1 and 3, run_b at rank 6
rankings (run_id, rank, is_relevant) as (

    values
    ('run_a', 1, true),
    ('run_a', 3, true),
    ('run_b', 6, true)

),

-- one row per run, with one column per measure
measured as (

    select
        run_id,
        {{ measure_columns(['RBP(p=0.5)@10', 'P@5']) }}
    from rankings
    group by run_id

),

expected_scores (run_id, measure, expected) as (

    values
    ('run_a', 'P@5', 0.4),                -- 2/5
    ('run_a', 'RBP(p=0.5)@10', 0.625),    -- 0.5 (0.5^0 + 0.5^2)
    ('run_b', 'P@5', 0.0),
    ('run_b', 'RBP(p=0.5)@10', 0.015625)  -- 0.5^6

),

scores as (

    {{ unpivot_measures('measured', ['P@5', 'RBP(p=0.5)@10']) }}

),

-- one row per run and measure
unpivoted as (

    select
        coalesce(scores.run_id, expected_scores.run_id)
        || ': '
        || coalesce(scores.measure, expected_scores.measure) as case_name,
        scores.score as actual,
        expected_scores.expected
    from scores
    full join expected_scores
        on
            scores.run_id = expected_scores.run_id
            and scores.measure = expected_scores.measure

)

{{ wrong_cases('parsed', n_cases=11) }}
union all
{{ wrong_cases('divided', n_cases=4, tolerance=1e-12) }}
union all
{{ wrong_cases('unpivoted', n_cases=4) }}
