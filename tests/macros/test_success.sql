{%- set measures = ['Success@5', 'Success@3', 'Success(rel=2)@3'] %}

with

-- is_relevant_2 is for relevance level 2
rankings (case_name, rank, is_relevant, is_relevant_2) as (

    values
    ('several', 2, true, false),
    ('several', 4, true, true),
    ('at_the_cutoff', 5, true, true),
    ('below_the_cutoff', 6, true, true),
    ('not_relevant', 1, false, false),
    ('nothing_judged', null, null, null)

),

expected_scores (case_name, {{ measure_names(measures) }}) as (

    values
    ('several', 1.0, 1.0, 0.0),        -- two documents give 1, as one does; rank 4 is below cutoff 3
    ('at_the_cutoff', 1.0, 0.0, 0.0),
    ('below_the_cutoff', 0.0, 0.0, 0.0),
    ('not_relevant', 0.0, 0.0, 0.0),
    ('nothing_judged', 0.0, 0.0, 0.0)  -- 0 and not null

),

{{ compared_scores(measures) }}

{{ wrong_cases('compared', n_cases=15, tolerance=1e-12) }}
