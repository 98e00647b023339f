{%- set measures = ['Compat(p=0.5)', 'Compat(p=0.5,normalize=false)'] %}

with

-- judged documents; the ideal ranking has grades 2, 1 and 1
rankings (case_name, rank, grade, is_relevant, n_retrieved, n_gainful, ideal_grades) as (

    values
    ('two_of_three', 2, 1, true, 3, 3, [2, 1, 1]),
    ('two_of_three', 3, 1, true, 3, 3, [2, 1, 1]),
    ('lower_grade_first', 1, 1, true, 4, 2, [2, 1]),
    ('lower_grade_first', 2, 0, false, 4, 2, [2, 1]),
    ('lower_grade_first', 4, 2, true, 4, 2, [2, 1]),
    ('ideal', 1, 2, true, 1, 1, [2]),
    ('condensed', 1, 0, false, null, 1, [1]),
    ('condensed', 2, 1, true, null, 1, [1]),
    ('none_found', null, null, null, 2, 1, [1]),
    ('nothing_to_find', 1, 0, false, 1, 0, null)

),

expected_scores (case_name, {{ measure_names(measures) }}) as (

    values
    -- Weights of depths: 1, 1/2, 1/4 and 1/8. Grade 2 is missing, and the others are 2nd and 3rd in the ideal ranking,
    -- too. Overlaps: 0, 1/2 and 2/3; the ideal ranking with itself: 1, 1 and 1
    ('two_of_three', (1 / 4 + 1 / 6) / (7 / 4), (1 / 4 + 1 / 6) / (7 / 4)),
    -- Grade 1 is 1st and grade 2 is 4th; ideal are 2nd and 1st: 0, 1/2, 1/3 and 2/4; ideal: 1, 1, 2/3 and 2/4
    (
        'lower_grade_first',
        (1 / 4 + 1 / 12 + 1 / 16) / (1 + 1 / 2 + 1 / 6 + 1 / 16),
        (1 / 4 + 1 / 12 + 1 / 16) / (15 / 8)
    ),
    ('ideal', 1.0, 1.0),
    ('condensed', (1 / 4) / (1 + 1 / 4), (1 / 4) / (3 / 2)),  -- 0 and 1/2; ideal: 1 and 1/2
    ('none_found', 0.0, 0.0),
    ('nothing_to_find', 0.0, 0.0)

),

{{ compared_scores(measures) }}

{{ wrong_cases('compared', n_cases=12, tolerance=1e-12) }}
