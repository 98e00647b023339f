{%- set signatures = measure_signatures() %}
{%- set names = signatures | list | sort | join(', ') %}

with

notations as (

    select * from {{ ref('int_measure_notations') }}

),

written_measures (measure, expected_name, expected_cutoff, expected_p, expected_rel) as (

    values
    ('AP', 'AP', 2147483647, 0.8, null),     -- no cutoff: the number is below every ranking
    ('nDCG@10', 'nDCG', 10, 0.8, null),
    ('IPrec@0.25', 'IPrec', 0.25, 0.8, null),
    ('RBP(p=0.95)', 'RBP', 2147483647, 0.95, null),
    ('RBP(rel=2,p=0.5)@20', 'RBP', 20, 0.5, 2),
    ('P(rel=3)@7', 'P', 7, 0.8, 3),          -- neither rel nor the name is read as p
    ('X11(p=0.5,T=-1,rel=2)@0.2', 'X11', 0.2, 0.5, 2)

),

-- one row per notation, with its parts as text
parsed as (

    select
        measure as case_name,
        cast(
            row(
                {{ asked_name('measure') }},
                {{ asked_cutoff('measure') }},
                {{ asked_parameter('measure', 'p', 0.8) }},
                {{ asked_parameter('measure', 'rel') }}
            ) as varchar
        ) as actual,
        cast(
            row(
                expected_name,
                cast(expected_cutoff as double),
                cast(expected_p as double),
                cast(expected_rel as double)
            ) as varchar
        ) as expected
    from written_measures

),

wrong_notations (measure, expected) as (

    values
    ('P(rel=2)@10', null),
    ('RBP', null),
    ('RBP(p=0.5,rel=2)@4', null),
    ('Utility(p2=-0.5,n=1000,p1=2)', null),
    ('RprecMult(rel=2)@1.20', null),
    ('nDCG(gains={1:3.5,2:-9},judged_only=true)@5', null),
    ('nDCG(gains={1:3,1:9})', 'nDCG(gains={1:3,1:9}) is not written as {{ measure_usage(signatures["nDCG"]) }}'),
    ('P', 'P is not written as {{ measure_usage(signatures["P"]) }}'),
    ('IPrec@2', 'IPrec@2 is not written as {{ measure_usage(signatures["IPrec"]) }}'),
    ('nDCG@10 ', 'nDCG@10  is not written as {{ measure_usage(signatures["nDCG"]) }}'),
    ('MAP', 'MAP is written AP[(rel=l,judged_only=false)][@k]'),
    ('mrr@10', 'mrr@10 is written RR[(rel=l,judged_only=false)][@k]'),
    ('BPM(max_rel=2,min_rel=2)@5', 'BPM(max_rel=2,min_rel=2)@5 has a min_rel that is not below its max_rel'),
    ('BPM(min_rel=2,max_rel=10)@5', null),
    ('alpha_nDCG@20', 'alpha_nDCG@20 needs judgements of subtopics, which Poolhouse does not read'),
    ('NRBP', 'NRBP needs judgements of subtopics, which Poolhouse does not read'),
    ('prefs_simp', 'prefs_simp needs preferences between documents, which Poolhouse does not read'),
    (
        'map_avgjg',
        'map_avgjg needs several groups of judgements (trec_eval -R qrels_jg), which Poolhouse does not read'
    ),
    ('ndgc@10', 'ndgc@10 is not a measure that Poolhouse computes: did you mean nDCG?'),
    ('Accurate', 'Accurate is not a measure that Poolhouse computes: did you mean Accuracy?'),
    ('Relevance', 'Relevance is not a measure that Poolhouse computes; it has {{ names }} (poolhouse docs measures)'),
    ('ap', 'ap is written {{ measure_usage(signatures["AP"]) }}'),
    ('official', 'official stands for several measures: name each of them, such as AP or P@10'),
    ('P.5,10', 'P.5,10 has several cutoffs: name a measure for each, such as P@5 and P@10'),
    ('ndcg_cut.5,10', 'ndcg_cut.5,10 has several cutoffs: name a measure for each, such as P@5 and P@10'),
    ('', 'an empty name is not a measure that Poolhouse computes; it has {{ names }} (poolhouse docs measures)')

),

refused as (

    select
        '"' || wrong_notations.measure || '" is refused' as case_name,
        {{ problem_with_asked('wrong_notations.measure') }} as actual,
        wrong_notations.expected
    from wrong_notations

),

-- a ranking's documents with a gain, as measures of such rows read them: grade 1 at rank 1 and grade 2 at rank 3;
-- the topic has no other such documents
documents (
    rank, grade, gain, is_relevant, nth_relevant, n_relevant, nth_judged, n_judged, nth_pooled_unjudged,
    nth_gainful, n_gainful, gain_so_far, ideal_gain_so_far, p_unsatisfied, ideal_dcg, highest_grade,
    highest_grade_of_collection
) as (

    values
    (1, 1, 1, true, 1, 2, 1, 3, 0, 1, 2, 1, 2, 1.0, 2.0, 2, 2),
    (3, 2, 2, true, 2, 2, 2, 3, 0, 2, 2, 3, 3, 0.9375, 2.0, 2, 2)

),

asked (measure, expected) as (

    values
    ('P@5', 0.4),
    ('P@2', 0.5),
    ('AP', 5 / 6),                  -- (1/1 + 2/3) / 2
    ('AP@2', 0.5),
    ('RBP', 0.328),                 -- 0.2 (0.8^0 + 0.8^2)
    ('RBP(p=0.5)@2', 0.5),
    ('IPrec@1', 2 / 3),
    ('nDCG', 1.0),                  -- 1/log2(2) + 2/log2(4), over 2
    ('ERR@2', 0.0625),
    ('NumRel', 2.0),
    ('IPrecAvg', 10 / 11),          -- 1 up to recall 0.7 (1.4 is 1 document), and 2/3 at the three levels above
    ('GradedRBP', 0.131),           -- 0.1 (0.9^0 1/2 + 0.9^2 2/2)
    ('AntiP@5', null)               -- this measure reads other rows

),

-- one row per requested measure
answered as (

    select
        asked.measure as case_name,
        {{ asked_aggregate('asked.measure', 'gains') }} as actual,
        any_value(asked.expected) as expected
    from asked
    cross join documents
    group by asked.measure

),

-- whether a measure reads rows of either kind; MAP does not exist, and reads neither
told_apart as (

    select
        notation as case_name,
        cast(
            row({{ is_asked_of('notation', 'gains') }}, {{ is_asked_of('notation', 'judged') }}) as varchar
        ) as actual,
        expected
    from (
        values
        ('P@5', '(true, false)'),
        ('AntiP@5', '(false, true)'),
        ('G', '(false, false)'),    -- beside the ideal ranking
        ('MAP', '(false, false)')
    ) as measures (notation, expected)

)

{{ wrong_cases('parsed', n_cases=7) }}
union all
{{ wrong_cases('refused', n_cases=26) }}
union all
{{ wrong_cases('answered', n_cases=13, tolerance=1e-12) }}
union all
{{ wrong_cases('told_apart', n_cases=4) }}
