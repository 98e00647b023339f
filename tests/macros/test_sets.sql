{%- set measures = [
    'NumRet',
    'NumRel',
    'NumRelRet',
    'SetP',
    'SetR',
    'SetF',
    'SetF(beta=3)',
    'SetP(rel=2)',
    'SetR(rel=2)'
] %}

with

-- the order of a set does not count; is_relevant_2 and n_relevant_2 are for relevance level 2
rankings (case_name, is_relevant, is_relevant_2, n_relevant, n_relevant_2, n_retrieved) as (

    values
    ('two_of_four', true, false, 4, 1, 8),
    ('two_of_four', true, true, 4, 1, 8),
    ('two_of_four', false, false, 4, 1, 8),
    ('condensed', true, true, 1, 1, null),
    ('condensed', false, false, 1, 1, null),
    ('condensed', null, null, 1, 1, null),
    ('none_found', false, false, 4, 2, 8),
    ('empty_ranking', null, null, 4, 2, 0),
    ('nothing_to_find', false, false, 0, 0, 8)

),

expected_scores (case_name, {{ measure_names(measures) }}) as (

    values
    -- SetF is 2 * 1/4 * 1/2 over 1/4 + 1/2; with beta 3, it is 4 * 1/4 * 1/2 over 3/4 + 1/2
    ('two_of_four', 8.0, 4.0, 2.0, 0.25, 0.5, 1 / 3, 0.4, 0.125, 1.0),
    -- a condensed ranking has only its two judged documents; SetF is 2 * 1/2 over 3/2, and 4 * 1/2 over 5/2
    ('condensed', 2.0, 1.0, 1.0, 0.5, 1.0, 2 / 3, 0.8, 0.5, 1.0),
    -- 0 and not null, where nothing is found, retrieved or to be found
    ('none_found', 8.0, 4.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
    ('empty_ranking', 0.0, 4.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
    ('nothing_to_find', 8.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)

),

{{ compared_scores(measures) }}

{{ wrong_cases('compared', n_cases=45, tolerance=1e-12) }}
