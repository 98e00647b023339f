{%- set measures = [
    'AP',
    'AP(rel=2)',
    'P(rel=2)@2',
    'R(rel=2)@2',
    'AntiP(rel=2)@2',
    'RR(rel=2)',
    'Rprec(rel=2)',
    'RBP(p=0.5,rel=2)@4'
] %}

with

-- relevance level 2, and the threshold of the collection, which is 1
rankings (
    case_name,
    rank,
    is_relevant,
    is_relevant_2,
    nth_relevant,
    nth_relevant_2,
    n_relevant,
    n_relevant_2
) as (

    values
    ('grade_1_first', 1, true, false, 1, 0, 3, 2),
    ('grade_1_first', 2, true, true, 2, 1, 3, 2),
    ('grade_1_first', 4, true, true, 3, 2, 3, 2),
    ('non_relevant_first', 1, false, false, 0, 0, 3, 2),
    ('non_relevant_first', 3, true, false, 1, 0, 3, 2),
    ('nothing_to_find', 1, true, false, 1, 0, 1, 0)

),

expected_scores (case_name, {{ measure_names(measures) }}) as (

    values
    -- AP is (1/1 + 2/2 + 3/4) / 3, and (1/2 + 2/4) / 2 at level 2; RBP is 1/4 + 1/16
    ('grade_1_first', 11 / 12, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.3125),
    -- AP, the only measure that is not at level 2, is (1/3) / 3
    ('non_relevant_first', 1 / 9, 0.0, 0.0, 0.0, 0.5, 0.0, 0.0, 0.0),
    ('nothing_to_find', 1.0, 0.0, 0.0, 0.0, 0.5, 0.0, 0.0, 0.0)

),

{{ compared_scores(measures) }}

{{ wrong_cases('compared', n_cases=24, tolerance=1e-12) }}
