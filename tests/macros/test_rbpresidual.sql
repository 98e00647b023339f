{%- set measures = ['RBPResidual(p=0.5)@2', 'RBPResidual(p=0.5)'] %}

with

-- weights of 1/2, 1/4, 1/8 and so on: in all 3/4 down to rank 2, and 1 without a cutoff
rankings (case_name, rank, is_relevant) as (

    values
    ('all_judged', 1, true),
    ('all_judged', 2, false),
    ('one_pooled_and_unjudged', 1, null),
    ('one_pooled_and_unjudged', 2, true),
    ('below_the_cutoff', 3, false),
    ('short_ranking', 1, false),
    ('nothing_judged', null, null)

),

expected_scores (case_name, {{ measure_names(measures) }}) as (

    values
    ('all_judged', 0.0, 0.25),               -- the ranks from 3 on
    ('one_pooled_and_unjudged', 0.5, 0.75),  -- less the 1/4 of rank 2
    ('below_the_cutoff', 0.75, 0.875),       -- less the 1/8 of rank 3
    ('short_ranking', 0.25, 0.5),            -- missing ranks are unknown
    ('nothing_judged', 0.75, 1.0)

),

{{ compared_scores(measures) }}

{{ wrong_cases('compared', n_cases=10, tolerance=1e-12) }}
