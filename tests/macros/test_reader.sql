{%- set measures = [
    'BPM@4', 'BPM(T=2)@4', 'BPM(max_rel=1)@4', 'SDCG@3', 'SDCG(min_rel=1)@3', 'NERR8@4', 'NERR9@4', 'NERR10(p=0.5)',
    'NERR11', 'INSQ', 'INST'
] %}

with

-- documents with a grade above 0; the highest grade of the collection is 2
rankings (case_name, rank, grade, highest_grade_of_collection) as (

    values
    ('two', 1, 1, 2),
    ('two', 3, 2, 2),
    ('below_the_last_rank', 1001, 2, 2),
    ('none_found', null, null, 2)

),

expected_scores (case_name, {{ measure_names(measures) }}) as (

    values
    (
        -- gains 0.5 and 1
        'two',
        0.5,                                -- the gain reaches 1 at rank 3: 1.5 / 3
        0.375,                              -- it does not reach 2: 1.5 / 4
        1.0,                                -- both grades have gain 1, and the first one is enough
        1 / (1.5 + 1 / log2(3)),            -- 0.5 + 1 / 2, over 1 + 1 / log2(3) + 1 / 2
        0.5 / (1.5 + 1 / log2(3)),          -- grade 1 has no gain
        0.5,                                -- ranks are read by 1, 1/2, 1/2 and 0: 1 / 2
        8 / 17,                             -- by 1, 1/4, 1/6 and 0: (1/2 + 1/6) / (17/12)
        5 / 11,                             -- by 1, 1/4, 1/8 and 0: (1/2 + 1/8) / (11/8)
        45 / 97,                            -- by 1, 2/9, 1/8 and 0: (1/2 + 1/8) / (97/72)
        0.2911782021107197,                 -- as cwl_eval: (0.5 / 4 + 1 / 16) over the sum of 1 / (i + 1)^2,
        0.355753318869123                  -- as cwl_eval
    ),
    ('below_the_last_rank', {{ (['0.0'] * measures | length) | join(', ') }}),
    ('none_found', {{ (['0.0'] * measures | length) | join(', ') }})

),

{{ compared_scores(measures) }}

{{ wrong_cases('compared', n_cases=33, tolerance=1e-12) }}
