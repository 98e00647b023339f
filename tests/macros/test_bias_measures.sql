{#- These are the current measures of the project. The vars change them. -#}
with

compared (case_name, actual, expected) as (

    values
    (
        'measures',
        '{{ bias_measures() | map(attribute="id") | join(" ") }}',
        'P@5 P@10 P@20 P@30 P@100 RBP(p=0.8)@10'
    ),
    (
        'names',
        '{{ bias_measures() | map(attribute="name") | join(" ") }}',
        'P P P P P RBP'
    ),
    -- the order is of numbers, not of words: 100 comes last; the 10 of RBP is not among them
    ('precision_cutoffs', '{{ precision_cutoffs() | join(" ") }}', '5 10 20 30 100'),
    ('deepest_cutoff', '{{ deepest_cutoff() }}', '100'),
    -- a second call should return the same: the first call must not extend the var
    ('measures_again', '{{ bias_measures() | length }}', '6')

)

{{ wrong_cases('compared', n_cases=5) }}
