{%- set measures = [
    'RelP@3', 'RprecMult@0.2', 'RprecMult@2', 'YAAP', 'BinG', 'IPrecAvg', 'GMBpref', 'SetAP', 'SetP(relative=true)',
    'Utility', 'Utility(p1=0,p2=0.5,p3=-2,p4=0.1,n=10)', 'NumNonRelRet', 'NumRet(rel=1)', 'NumQ', 'Unj@5',
    'GradedRBP(p=0.5)'
] %}

with

-- judged documents; the rankings have three documents
rankings (
    case_name, rank, grade, is_relevant, nth_relevant, nth_judged, n_relevant, n_judged, n_retrieved, highest_grade,
    is_relevant_1, n_relevant_1
) as (

    values
    ('two_of_three', 1, 2, true, 1, 1, 2, 4, 3, 2, true, 2),
    ('two_of_three', 2, 0, false, 1, 2, 2, 4, 3, 2, false, 2),
    ('two_of_three', 3, 1, true, 2, 3, 2, 4, 3, 2, true, 2),
    ('one_of_many', 2, 1, true, 1, 1, 9, 9, 3, 1, true, 9),
    ('nothing_judged', null, null, null, null, null, 2, 4, 3, 1, null, 2),
    ('nothing_retrieved', null, null, null, null, null, 2, 4, 0, 1, null, 2),
    ('nothing_to_find', 1, 0, false, 0, 1, 0, 4, 3, null, false, 0)

),

expected_scores (case_name, {{ measure_names(measures) }}) as (

    values
    -- 0.2 of 2 documents are 0.4 + 0.9, so rank 1; twice 2 are rank 4. Precisions are 1 and 2/3. Above the second
    -- relevant document is one that is not relevant. Recall levels down from 0.7 ask for one document at most
    (
        'two_of_three', 1.0, 1.0, 0.5, ln((1 + 5 / 3) / (3 - 5 / 3)), (1 + 1 / log2(3)) / 2, 10 / 11, 0.75, 2 / 3, 1.0,
        1.0, 1.2, 1.0, 2.0, 1.0, 0.0, 0.5625
    ),
    -- 0.2 of 9 are 2 documents, and twice 9 are 18. Interpolated precision is 1/2 at recall 0 and 0.1. The document
    -- above the relevant one is unjudged, and so not relevant
    (
        'one_of_many', 1 / 3, 0.5, 1 / 18, ln(1.5 / 9.5), 1 / (9 * log2(3)), 1 / 11, 1 / 9, 1 / 27, 1 / 3,
        -1.0, -15.1, 0.0, 1.0, 1.0, 0.4, 0.25
    ),
    ('nothing_judged', 0.0, 0.0, 0.0, ln(1 / 3), 0.0, 0.0, 1e-05, 0.0, 0.0, -3.0, -2.0, 0.0, 0.0, 1.0, 0.6, 0.0),
    ('nothing_retrieved', 0.0, 0.0, 0.0, ln(1 / 3), 0.0, 0.0, 1e-05, 0.0, 0.0, 0.0, -3.2, 0.0, 0.0, 1.0, 0.0, 0.0),
    ('nothing_to_find', 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1e-05, 0.0, 0.0, -3.0, 2.2, 1.0, 0.0, 1.0, 0.4, 0.0)

),

{{ compared_scores(measures) }}

{{ wrong_cases('compared', n_cases=80, tolerance=1e-12) }}
