{%- set measures = ['GMAP'] %}

with

-- documents with a gain
rankings (case_name, rank, is_relevant, nth_relevant, n_relevant) as (

    values
    ('all_found', 1, true, 1, 2),
    ('all_found', 3, true, 2, 2),
    ('hardly_found', 1000, true, 1, 1000),
    ('none_found', null, null, null, 3),
    ('nothing_to_find', null, null, null, 0)

),

expected_scores (case_name, {{ measure_names(measures) }}) as (

    values
    ('all_found', 5 / 6),     -- (1/1 + 2/3) / 2, the same as AP
    ('hardly_found', 1e-05),  -- the minimum, and not (1/1000) / 1000
    ('none_found', 1e-05),
    ('nothing_to_find', 1e-05)

),

{{ compared_scores(measures) }}

{{ wrong_cases('compared', n_cases=4, tolerance=1e-12) }}
