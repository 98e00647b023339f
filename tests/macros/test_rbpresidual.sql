{%- set measures = ['RBPResidual(p=0.5)@2', 'RBPResidual(p=0.5)'] %}

with

-- weights are 1/2, 1/4, 1/8 and so on; they add up to 3/4 down to rank 2, and to 1 without a cutoff
rankings (case_name, rank, is_relevant, nth_judged) as (

    values
    ('all_judged', 1, true, 1),
    ('all_judged', 2, false, 2),
    ('one_pooled_and_unjudged', 1, null, 0),
    ('one_pooled_and_unjudged', 2, true, 1),
    ('below_the_cutoff', 3, false, 1),
    ('short_ranking', 1, false, 1),
    ('nothing_judged', null, null, 0)

),

expected_scores (case_name, {{ measure_names(measures) }}) as (

    values
    ('all_judged', 0.0, 0.25),               -- only the ranks from 3 on are unknown
    ('one_pooled_and_unjudged', 0.5, 0.75),  -- all weights but the 1/4 of rank 2
    ('below_the_cutoff', 0.75, 0.875),       -- all weights but the 1/8 of rank 3
    ('short_ranking', 0.25, 0.5),            -- missing ranks are unknown
    ('nothing_judged', 0.75, 1.0)

),

{{ compared_scores(measures) }}

{{ wrong_cases('compared', n_cases=10, tolerance=1e-12) }}
