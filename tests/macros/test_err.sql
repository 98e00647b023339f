{%- set measures = ['ERR', 'ERR@2', 'ERR(max_rel=2)'] %}

with

-- documents with a gain; the probability to satisfy is 1/16 for grade 1, 3/16 for 2, 7/16 for 3, 15/16 for 4; where
-- the highest grade is 2, it is 1/4 for grade 1 and 3/4 above
rankings (case_name, rank, grade, p_unsatisfied_4, p_unsatisfied_2) as (

    values
    ('one', 2, 1, 1.0, 1.0),
    ('two', 1, 3, 1.0, 1.0),
    ('two', 3, 2, 0.5625, 0.25),
    ('grade_above_the_highest', 1, 7, 1.0, 1.0),
    ('without_gain', 1, 0, 1.0, 1.0),
    ('without_gain', 2, -1, 1.0, 1.0),
    ('none_found', null, null, null, null)

),

expected_scores (case_name, {{ measure_names(measures) }}) as (

    values
    ('one', 0.03125, 0.03125, 0.125),                   -- 1/16 / 2; 1/4 / 2
    ('two', 0.47265625, 0.4375, 0.8125),                -- 7/16 + 9/16 * 3/16 / 3; rank 3 is below cutoff 2
    ('grade_above_the_highest', 0.9375, 0.9375, 0.75),  -- the same as for grade 4 or 2
    ('without_gain', 0.0, 0.0, 0.0),
    ('none_found', 0.0, 0.0, 0.0)                       -- 0 and not null

),

{{ compared_scores(measures) }}

{{ wrong_cases('compared', n_cases=15, tolerance=1e-12) }}
