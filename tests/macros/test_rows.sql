with

-- the documents of a ranking of seven that are in the pool: the document at rank 3 is unjudged, and the ones at ranks 2
-- and 7 are not in the pool; the threshold is 1
documents (rank, grade, is_relevant) as (

    values
    (1, 1, true),
    (3, -1, null),
    (4, 0, false),
    (5, 2, true),
    (6, 1, true)

),

with_levels as (

    select
        documents.rank as full_rank,
        documents.grade,
        {{ relevance_columns('documents', ['2']) }}
    from documents

),

counted as (

    select
        *,
        {{ counting_columns() }}
    from with_levels
    window ranking as (order by full_rank)

),

-- only the documents with a gain
gainful as (

    select
        *,
        {{ gain_counting_columns(['2'], measure_ids=['ERR']) }}
    from counted
    where grade > 0
    window ranking as (order by full_rank)

),

-- every document of the pool under both treatments
treated as (

    select
        counted.full_rank,
        treatments.unjudged,
        {{ treated_columns('counted') }}
    from counted
    cross join (values ('nonrelevant', 7), ('condensed', 7)) as treatments (unjudged, full_length)

),

expected_rows (case_name, expected) as (

    values
    -- is_relevant, also at level 2; number of judged documents, and of pooled but unjudged documents, so far
    ('counted 1', '(true, false, 1, 0)'),
    ('counted 3', '(NULL, NULL, 1, 1)'),
    ('counted 4', '(false, false, 2, 1)'),
    ('counted 5', '(true, true, 3, 1)'),
    ('counted 6', '(true, false, 4, 1)'),
    -- relevant documents so far, also at level 2; documents with a gain, and their gain; the share, in 256ths, that is
    -- not satisfied above: all, 15/16 after grade 1, 15/16 * 13/16 after grade 2
    ('gainful 1', '(1, 0, 1, 1, 256)'),
    ('gainful 5', '(2, 1, 2, 3, 240)'),
    ('gainful 6', '(3, 1, 3, 4, 195)'),
    -- rank; judged, and pooled but unjudged documents so far; length of the ranking
    ('nonrelevant 1', '(1, 1, 0, 7)'),
    ('nonrelevant 3', '(3, 1, 1, 7)'),
    ('nonrelevant 4', '(4, 2, 1, 7)'),
    ('nonrelevant 5', '(5, 3, 1, 7)'),
    ('nonrelevant 6', '(6, 4, 1, 7)'),
    -- the unjudged document has no rank, and does not change the others' rows
    ('condensed 1', '(1, 1, 0, NULL)'),
    ('condensed 3', '(NULL, 1, 0, NULL)'),
    ('condensed 4', '(2, 2, 0, NULL)'),
    ('condensed 5', '(3, 3, 0, NULL)'),
    ('condensed 6', '(4, 4, 0, NULL)'),
    -- an ideal ranking: documents with a gain, also at level 2; discounted gain in hundredths, also at cutoff 2:
    -- 2 + 1/log2(3) + 1/log2(4) = 3.13, and the same without the last
    ('totals', '(3, 1, 313, 263)'),
    ('totals of nothing', '(0, 0, 0, 0)')

),

ideal_rankings (topic_id, rank, grade, discounted_gain_so_far) as (

    values
    ('totals', 1, 2, 2.0),
    ('totals', 2, 1, 2.6309297535714573),
    ('totals', 3, 1, 3.1309297535714573),
    ('totals of nothing', null, null, null)

),

totals as (

    select
        ideal_rankings.topic_id,
        {{ total_columns('ideal_rankings', ['nDCG', 'nDCG@2', 'AP(rel=2)']) }}
    from ideal_rankings
    group by ideal_rankings.topic_id

),

actual_rows as (

    select
        'counted ' || full_rank as case_name,
        cast(row(is_relevant, is_relevant_2, nth_judged, nth_pooled_unjudged) as varchar) as actual
    from counted
    union all
    select
        'gainful ' || full_rank as case_name,
        cast(
            row(
                nth_relevant,
                nth_relevant_2,
                nth_gainful,
                gain_so_far,
                cast(round(256 * p_unsatisfied_4, 9) as integer)
            ) as varchar
        ) as actual
    from gainful
    union all
    select
        unjudged || ' ' || full_rank as case_name,
        cast(row(rank, nth_judged, nth_pooled_unjudged, n_retrieved) as varchar) as actual
    from treated
    union all
    select
        topic_id as case_name,
        cast(
            row(
                n_gainful,
                n_relevant_2,
                cast(100 * {{ ideal_dcg_column() }} as integer),
                cast(100 * {{ ideal_dcg_column('2') }} as integer)
            ) as varchar
        ) as actual
    from totals

),

compared as (

    select
        coalesce(actual_rows.case_name, expected_rows.case_name) as case_name,
        actual_rows.actual,
        expected_rows.expected
    from actual_rows
    full join expected_rows on actual_rows.case_name = expected_rows.case_name

)

{{ wrong_cases('compared', n_cases=20) }}
