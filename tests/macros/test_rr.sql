{%- set measures = ['RR', 'RR@3'] %}

with

-- documents with a gain
rankings (case_name, rank, is_relevant) as (

    values
    ('first', 1, true),
    ('behind_non_relevant', 1, false),
    ('behind_non_relevant', 4, true),
    ('first_of_several', 9, true),
    ('first_of_several', 2, true),
    ('first_of_several', 5, true),
    ('at_the_cutoff', 3, true),
    ('only_non_relevant', 1, false),
    ('nothing_judged', null, false)

),

expected_scores (case_name, {{ measure_names(measures) }}) as (

    values
    ('first', 1.0, 1.0),
    ('behind_non_relevant', 0.25, 0.0),  -- 1/4; rank 4 is below cutoff 3
    ('first_of_several', 0.5, 0.5),      -- 1/2 for any order of the rows
    ('at_the_cutoff', 1 / 3, 1 / 3),
    ('only_non_relevant', 0.0, 0.0),
    ('nothing_judged', 0.0, 0.0)         -- 0 and not null

),

{{ compared_scores(measures) }}

{{ wrong_cases('compared', n_cases=12, tolerance=1e-12) }}
