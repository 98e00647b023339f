{#- Precision measures with judged documents in place of relevant ones (Baillie et al. 2008, 3.1). -#}
{%- set measures = ['AAP', 'AAP@3', 'ARprec', 'ARR', 'ARR@1'] %}

with

-- judged documents, counted from the top, and unjudged documents of the pool (is_relevant is null)
rankings (case_name, rank, is_relevant, nth_judged, n_judged) as (

    values
    ('two_of_three', 2, false, 1, 3),
    ('two_of_three', 3, null, 1, 3),
    ('two_of_three', 4, true, 2, 3),
    ('all_on_top', 1, false, 1, 2),
    ('all_on_top', 2, false, 2, 2),
    ('just_too_deep', 2, true, 1, 1),
    ('none_judged_of_them', 1, null, 0, 4),
    ('empty_ranking', null, null, null, 4),
    ('nothing_judged', null, null, null, 0)

),

expected_scores (case_name, {{ measure_names(measures) }}) as (

    values
    -- 1/2 at rank 2 and 2/4 at rank 4, over three; only the first one down to rank 3; one of three in the first three
    ('two_of_three', 1 / 3, 1 / 6, 1 / 3, 0.5, 0.0),
    -- documents that are judged not relevant count as well
    ('all_on_top', 1.0, 1.0, 1.0, 1.0, 1.0),
    -- the first judged document is at rank 2, and one document is judged
    ('just_too_deep', 0.5, 0.5, 0.0, 0.5, 0.0),
    -- 0 and not null, where nothing is found, retrieved or to be found
    ('none_judged_of_them', 0.0, 0.0, 0.0, 0.0, 0.0),
    ('empty_ranking', 0.0, 0.0, 0.0, 0.0, 0.0),
    ('nothing_judged', 0.0, 0.0, 0.0, 0.0, 0.0)

),

{{ compared_scores(measures) }}

{{ wrong_cases('compared', n_cases=30, tolerance=1e-12) }}
