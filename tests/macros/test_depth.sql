{#-
    The rank down to which a requested measure looks.
-#}
with

cases (asked, depth) as (

    values
    ('P@10', 10),
    ('P(rel=2)@5', 5),
    ('RBP', 2147483647),
    ('RBP@20', 20),
    ('RBP(p=0.95)@20', 20),
    ('RBP(rel=2,p=0.5)', 2147483647),
    ('RBP(rel=2)@3', 3),
    ('AP', 2147483647),
    ('AP@100', 100),
    ('nDCG@10', 10),
    ('Rprec', 2147483647),
    -- a recall level is not a rank
    ('IPrec@0.5', 2147483647)

),

compared as (

    select
        asked as case_name,
        cast({{ asked_depth('asked') }} as varchar) as actual,
        cast(cast(depth as double) as varchar) as expected
    from cases

)

{{ wrong_cases('compared', n_cases=12) }}
