with

-- topics with a document of grade 2 and one of grade 1: the ideal ranking has them at ranks 1 and 2, and gains
-- 2/log2(2) + 1/log2(3) = 2.630929753571457
rankings (case_name, rank, grade, ideal) as (

    values
    ('ideal', 1, 2, 2.630929753571457),
    ('ideal', 2, 1, 2.630929753571457),
    ('the_two_exchanged', 1, 1, 2.630929753571457),
    ('the_two_exchanged', 2, 2, 2.630929753571457),
    ('below_the_cutoff', 1, 1, 2.630929753571457),
    ('below_the_cutoff', 3, 2, 2.630929753571457),
    ('without_gain', 1, 0, 2.630929753571457),
    ('without_gain', 2, -1, 2.630929753571457),
    ('nothing_judged', null, null, 2.630929753571457),
    ('nothing_to_find', 1, 0, 0.0)

),

expected_scores (case_name, expected_gain, expected_ndcg, expected_ndcg_2) as (

    values
    ('ideal', 2.630929753571457, 1.0, 1.0),
    -- 1/log2(2) + 2/log2(3) = 2.261859507142915, over 2.630929753571457
    ('the_two_exchanged', 2.261859507142915, 0.8597186998521972, 0.8597186998521972),
    -- 1/log2(2) + 2/log2(4) = 2, over 2.630929753571457; at cutoff 2, only the 1 counts
    ('below_the_cutoff', 2.0, 0.7601875334318685, 0.38009376671593426),
    -- a negative grade is no gain and no loss
    ('without_gain', 0.0, 0.0, 0.0),
    ('nothing_judged', 0.0, 0.0, 0.0),
    -- the result should be 0 and not null, as in trec_eval
    ('nothing_to_find', 0.0, 0.0, 0.0)

),

-- the same rankings; no column says which documents are relevant, since every grade counts
with_ideal_gains as (

    select
        case_name,
        rank,
        grade,
        ideal as {{ ideal_dcg_column() }},
        ideal as {{ ideal_dcg_column(2) }}
    from rankings

),

measured as (

    select
        case_name,
        coalesce(sum({{ discounted_gain('rank', 'grade') }}) filter (where grade > 0), 0) as actual_gain,
        {{ measure('nDCG') }} as actual_ndcg,
        {{ measure('nDCG@2') }} as actual_ndcg_2
    from with_ideal_gains
    group by case_name

),

scored as (

    select
        coalesce(measured.case_name, expected_scores.case_name) as case_name,
        measured.actual_gain,
        measured.actual_ndcg,
        measured.actual_ndcg_2,
        expected_scores.expected_gain,
        expected_scores.expected_ndcg,
        expected_scores.expected_ndcg_2
    from measured
    full join expected_scores on measured.case_name = expected_scores.case_name

),

compared as (

    select
        case_name || ': gain' as case_name,
        actual_gain as actual,
        expected_gain as expected
    from scored
    union all
    select
        case_name || ': nDCG' as case_name,
        actual_ndcg as actual,
        expected_ndcg as expected
    from scored
    union all
    select
        case_name || ': nDCG@2' as case_name,
        actual_ndcg_2 as actual,
        expected_ndcg_2 as expected
    from scored

)

{{ wrong_cases('compared', n_cases=18, tolerance=1e-12) }}
