{%- set measures = ['A@5', 'UnjudgedRate@5', 'Judged@5', 'Judged', 'RA@5', 'RA'] %}

with

-- judged documents, and unjudged documents of the pool (is_relevant is null)
rankings (case_name, rank, is_relevant, n_judged, n_retrieved) as (

    values
    ('three_of_five', 1, true, 10, 8),
    ('three_of_five', 2, false, 10, 8),
    ('three_of_five', 5, true, 10, 8),
    ('three_of_five', 6, false, 10, 8),
    ('pooled_and_unjudged', 1, null, 1, 8),
    ('pooled_and_unjudged', 2, true, 1, 8),
    ('short_ranking', 1, true, 10, 3),
    ('short_ranking', 2, false, 10, 3),
    ('condensed', 1, true, 10, null),
    ('condensed', 2, false, 10, null),
    ('condensed', null, null, 10, null),
    ('empty_ranking', null, null, 10, 0),
    ('nothing_judged', null, null, 0, 8)

),

expected_scores (case_name, {{ measure_names(measures) }}) as (

    values
    ('three_of_five', 0.6, 0.4, 0.6, 0.5, 0.3, 0.4),          -- ranks 1, 2 and 5; rank 6 only counts without a cutoff
    ('pooled_and_unjudged', 0.2, 0.8, 0.2, 0.125, 1.0, 1.0),  -- the first one is in the pool, and unjudged
    ('short_ranking', 0.4, 0.6, 2 / 3, 2 / 3, 0.2, 0.2),      -- missing positions are unjudged, but Judged ignores them
    ('condensed', 0.4, 0.6, 1.0, 1.0, 0.2, 0.2),              -- the list has two documents: an unjudged one has no rank
    ('empty_ranking', 0.0, 1.0, 0.0, 0.0, 0.0, 0.0),
    ('nothing_judged', 0.0, 1.0, 0.0, 0.0, 0.0, 0.0)          -- 0 and not null, without documents

),

{{ compared_scores(measures) }}

{{ wrong_cases('compared', n_cases=36, tolerance=1e-12) }}
