{%- set measures = ['Bpref'] %}

with

-- documents with a gain: nth_judged counts non-relevant documents as well, n_judged counts all judged ones of the topic
rankings (case_name, is_relevant, nth_relevant, nth_judged, n_relevant, n_judged) as (

    values
    ('none_between', true, 1, 1, 2, 4),
    ('none_between', true, 2, 2, 2, 4),
    ('one_between', true, 1, 1, 2, 4),
    ('one_between', true, 2, 3, 2, 4),
    ('more_non_relevant_ones', true, 1, 2, 2, 7),
    ('more_non_relevant_ones', true, 2, 5, 2, 7),
    ('fewer_non_relevant_ones', true, 1, 1, 4, 5),
    ('fewer_non_relevant_ones', true, 2, 3, 4, 5),
    ('no_non_relevant_one', true, 1, 1, 2, 2),
    ('gain_below_the_threshold', false, 0, 1, 1, 3),
    ('gain_below_the_threshold', true, 1, 2, 1, 3),
    ('none_found', null, null, null, 3, 5),
    ('nothing_to_find', null, null, null, 0, 5)

),

expected_scores (case_name, {{ measure_names(measures) }}) as (

    values
    ('none_between', 1.0),
    ('one_between', 0.75),              -- (1 + 1 - 1/2) / 2
    ('more_non_relevant_ones', 0.25),   -- R = 2 of the 5 count: (1 - 1/2 + 1 - 2/2) / 2
    ('fewer_non_relevant_ones', 0.25),  -- the only one comes first: (1 + 1 - 1/1) / 4, and not (1 + 1 - 1/4) / 4
    ('no_non_relevant_one', 0.5),       -- 1/2: no pair can be in the wrong order
    ('gain_below_the_threshold', 0.0),  -- it counts as a non-relevant document: 1 - 1/1
    ('none_found', 0.0),
    ('nothing_to_find', 0.0)            -- 0 and not null, as in trec_eval

),

{{ compared_scores(measures) }}

{{ wrong_cases('compared', n_cases=8, tolerance=1e-12) }}
