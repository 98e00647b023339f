{%- set measures = ['Q'] %}

with

-- documents with a gain; the topic has one of grade 2 and one of grade 1, so that the ideal gains are 2, 3, 3 and so on
rankings (case_name, rank, grade, nth_gainful, gain_so_far, ideal_gain_so_far, n_gainful) as (

    values
    ('ideal', 1, 2, 1, 2, 2, 2),
    ('ideal', 2, 1, 2, 3, 3, 2),
    ('the_two_exchanged', 1, 1, 1, 1, 2, 2),
    ('the_two_exchanged', 2, 2, 2, 3, 3, 2),
    ('one_below_rank_r', 4, 1, 1, 1, 3, 2),
    ('none_found', null, null, null, null, null, 2),
    ('nothing_to_find', null, null, null, null, null, 0)

),

expected_scores (case_name, {{ measure_names(measures) }}) as (

    values
    ('ideal', 1.0),
    ('the_two_exchanged', 5 / 6),  -- ((1 + 1) / (1 + 2) + (2 + 3) / (2 + 3)) / 2
    ('one_below_rank_r', 1 / 7),   -- (1 + 1) / (4 + 3) / 2
    ('none_found', 0.0),
    ('nothing_to_find', 0.0)

),

{{ compared_scores(measures) }}

{{ wrong_cases('compared', n_cases=5, tolerance=1e-12) }}
