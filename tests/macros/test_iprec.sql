{%- set measures = ['IPrec@0.0', 'IPrec@0.3', 'IPrec@0.7', 'IPrec@1.0'] %}

with

-- documents with a gain
rankings (case_name, rank, is_relevant, nth_relevant, n_relevant) as (

    values
    ('better_below', 2, true, 1, 4),
    ('better_below', 3, true, 2, 4),
    ('better_below', 10, true, 3, 4),
    ('better_above', 1, true, 1, 4),
    ('better_above', 4, true, 2, 4),
    ('rounded', 1, true, 1, 3),
    ('rounded', 4, true, 2, 3),
    ('gain_below_the_threshold', 1, false, 0, 1),
    ('gain_below_the_threshold', 2, true, 1, 1),
    ('none_found', null, null, null, 3),
    ('nothing_to_find', null, null, null, 0)

),

expected_scores (case_name, {{ measure_names(measures) }}) as (

    values
    -- precisions are 1/2, 2/3 and 3/10; the highest counts from 0, 1 (1.2), 3 (2.8) and 4 documents on
    ('better_below', 2 / 3, 2 / 3, 0.3, 0.0),
    -- precisions are 1/1 and 2/4; a recall of 0.3 of 4 documents is 1 document (1.2)
    ('better_above', 1.0, 1.0, 0.0, 0.0),
    -- from 0, 1 (0.9), 2 (2.1) and 3 documents on
    ('rounded', 1.0, 1.0, 0.5, 0.0),
    ('gain_below_the_threshold', 0.5, 0.5, 0.5, 0.5),
    ('none_found', 0.0, 0.0, 0.0, 0.0),
    ('nothing_to_find', 0.0, 0.0, 0.0, 0.0)

),

{{ compared_scores(measures) }}

{{ wrong_cases('compared', n_cases=24, tolerance=1e-12) }}
