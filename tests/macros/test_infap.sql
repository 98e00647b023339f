{%- set measures = ['infAP'] %}

with

-- documents with a gain: nth_judged and nth_pooled_unjudged count all documents of the pool
rankings (case_name, rank, is_relevant, nth_relevant, nth_judged, nth_pooled_unjudged, n_relevant) as (

    values
    ('first', 1, true, 1, 1, 0, 1),
    ('relevant_one_above', 2, true, 2, 2, 0, 1),
    ('non_relevant_one_above', 2, true, 1, 2, 0, 1),
    ('pooled_ones_above', 1, true, 1, 1, 0, 2),
    ('pooled_ones_above', 4, true, 2, 3, 1, 2),
    ('nothing_above_is_in_the_pool', 3, true, 1, 1, 0, 1),
    ('nothing_above_is_judged', 3, true, 1, 1, 2, 1),
    ('gain_below_the_threshold', 1, false, 0, 1, 0, 1),
    ('none_found', null, null, null, null, null, 3),
    ('nothing_to_find', null, null, null, null, null, 0)

),

expected_scores (case_name, {{ measure_names(measures) }}) as (

    values
    ('first', 1.0),
    ('relevant_one_above', (1 + 1.00001 / 1.00002) / 2),      -- 1 of 1, smoothed: (1 + e) / (1 + 2 e)
    ('non_relevant_one_above', (1 + 0.00001 / 1.00002) / 2),  -- 0 of 1, smoothed: e / (1 + 2 e)
    ('pooled_ones_above', 0.8125),                            -- 1 of 2 judged, 3 pooled: (1 + (1 + 1.5) / 4) / 2
    ('nothing_above_is_in_the_pool', 1 / 3),                  -- documents outside the pool are not relevant
    ('nothing_above_is_judged', 2 / 3),                       -- smoothing alone gives half of 2 pooled: (1 + 1) / 3
    ('gain_below_the_threshold', 0.0),
    ('none_found', 0.0),
    ('nothing_to_find', 0.0)

),

{{ compared_scores(measures) }}

{{ wrong_cases('compared', n_cases=9, tolerance=1e-12) }}
