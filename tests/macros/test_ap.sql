{%- set measures = ['AP', 'AP@2'] %}

with

-- documents with a gain
rankings (case_name, rank, is_relevant, nth_relevant, n_relevant) as (

    values
    ('all_found', 1, true, 1, 2),
    ('all_found', 2, false, 1, 2),
    ('all_found', 3, true, 2, 2),
    ('one_of_four_found', 2, true, 1, 4),
    ('deep', 1000, true, 1, 1),
    ('only_non_relevant_found', 1, false, 0, 3),
    ('none_found', null, false, 0, 3),
    ('nothing_to_find', null, false, 0, 0)

),

expected_scores (case_name, {{ measure_names(measures) }}) as (

    values
    ('all_found', 5 / 6, 0.5),            -- (1/1 + 2/3) / 2; rank 3 is below cutoff 2, but the divisor is still 2
    ('one_of_four_found', 0.125, 0.125),  -- (1/2) / 4; the divisor is not the 2 that a top 2 can hold
    ('deep', 0.001, 0.0),                 -- without a cutoff, rank 1000 counts
    ('only_non_relevant_found', 0.0, 0.0),
    ('none_found', 0.0, 0.0),
    ('nothing_to_find', 0.0, 0.0)         -- 0 and not null, as in trec_eval

),

{{ compared_scores(measures) }}

{{ wrong_cases('compared', n_cases=12, tolerance=1e-12) }}
