{%- set measures = ['Accuracy', 'Accuracy@3', 'Accuracy(rel=2)'] %}

with

-- judged documents
rankings (case_name, rank, is_relevant, is_relevant_2, n_retrieved) as (

    values
    ('two_of_five', 2, true, false, 5),
    ('two_of_five', 3, false, false, 5),
    ('two_of_five', 4, true, true, 5),
    ('all_relevant', 1, true, true, 1),
    ('condensed', 1, false, false, null),
    ('condensed', 2, true, true, null),
    ('condensed', 3, false, false, null),
    ('none_found', null, null, null, 4)

),

expected_scores (case_name, {{ measure_names(measures) }}) as (

    values
    ('two_of_five', 0.5, 0.5, 0.25),  -- 1 and 2 of 3 others come first: 3 of 6 pairs; 1 of 2; 3 of 4
    ('all_relevant', 1.0, 1.0, 1.0),  -- no pair has the wrong order
    ('condensed', 0.5, 0.5, 0.5),
    ('none_found', 0.0, 0.0, 0.0)

),

{{ compared_scores(measures) }}

{{ wrong_cases('compared', n_cases=12, tolerance=1e-12) }}
