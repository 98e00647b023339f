{#- The pairs of rankings are of three or four items. Sums are over ordered pairs, twice as many as unordered ones. -#}
with

cases (case_name, concordance, n_untied_one, n_untied_other, expected) as (

    values
    -- all 3 pairs agree: 6 / sqrt(6 * 6)
    ('same_order', 6, 6, 6, 1.0),
    -- all 3 pairs disagree: -6 / sqrt(6 * 6)
    ('reversed', -6, 6, 6, -1.0),
    -- 1, 2, 3, 4 against 1, 3, 2, 4: 5 pairs agree, 1 does not: (10 - 2) / 12
    ('one_exchange_of_four', 8, 12, 12, 2 / 3),
    -- 1, 2, 3 against 1, 1, 2: 2 pairs agree, 1 is tied: 4 / sqrt(6 * 4) = sqrt(2 / 3)
    ('tied_in_one', 4, 6, 4, 0.816496580927726),
    -- the result should be null: a ranking in which all items are tied has no order
    ('all_tied_in_one', 0, 0, 6, null),
    ('all_tied_in_both', 0, 0, 0, null)

),

compared as (

    select
        case_name,
        {{ kendall_tau_b('concordance', 'n_untied_one', 'n_untied_other') }} as actual,
        expected
    from cases

)

{{ wrong_cases('compared', n_cases=6, tolerance='1e-12') }}
