{#-
    The macros name the measure of how much unjudged documents could add to a requested measure, and the rank
    down to which the requested measure looks.
-#}
with

cases (asked, residual, depth) as (

    values
    ('P@10', 'UnjudgedRate@10', 10),
    ('P(rel=2)@5', 'UnjudgedRate@5', 5),
    ('RBP', 'RBPResidual(p=0.8)', 2147483647),
    ('RBP@20', 'RBPResidual(p=0.8)@20', 20),
    ('RBP(p=0.95)@20', 'RBPResidual(p=0.95)@20', 20),
    ('RBP(rel=2,p=0.5)', 'RBPResidual(p=0.5)', 2147483647),
    ('RBP(rel=2)@3', 'RBPResidual(p=0.8)@3', 3),
    ('AP', null, 2147483647),
    ('AP@100', null, 100),
    ('nDCG@10', null, 10),
    ('Rprec', null, 2147483647),
    -- a recall level is not a rank
    ('IPrec@0.5', null, 2147483647)

),

compared as (

    select
        asked as case_name,
        cast(row({{ residual_of('asked') }}, {{ asked_depth('asked') }}) as varchar) as actual,
        cast(row(residual, cast(depth as double)) as varchar) as expected
    from cases

)

{{ wrong_cases('compared', n_cases=12) }}
