{#- The measures of the project as it is: change them with the vars. -#}
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
    -- numbers in ascending order, not words: 100 comes last; RBP's 10 is not among them
    ('precision_cutoffs', '{{ precision_cutoffs() | join(" ") }}', '5 10 20 30 100'),
    ('deepest_cutoff', '{{ deepest_cutoff() }}', '100'),
    (
        'left_out_measures',
        '{{ left_out_measures() | join(" ") }}',
        'P@5 P@10 P@20 P@30 P@100 RBP(p=0.8)@10 AntiP@5 AntiP@10 AntiP@20 AntiP@30 AntiP@100'
    ),
    (
        'residuals',
        '{{ bias_measures() | map(attribute="residual") | join(" ") }}',
        'UnjudgedRate@5 UnjudgedRate@10 UnjudgedRate@20 UnjudgedRate@30 UnjudgedRate@100 RBPResidual(p=0.8)@10'
    ),
    ('new_run_measures', '{{ new_run_measures() | length }}', '17'),
    -- should be the same the second time: the var is not added to
    ('left_out_measures_again', '{{ left_out_measures() | length }}', '11')

)

{{ wrong_cases('compared', n_cases=8) }}
