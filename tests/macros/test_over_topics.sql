with

-- every run has two answered topics or none, and one topic that it does not answer
topic_scores (run_id, aggregation, score, is_answered) as (

    values
    ('mean', 'mean', 0.5, true),
    ('mean', 'mean', 0.0, true),
    ('mean', 'mean', 0.1, false),
    ('sum', 'sum', 3, true),
    ('sum', 'sum', 4, true),
    ('sum', 'sum', 5, false),
    ('geometric_mean', 'geometric_mean', 0.1, true),
    ('geometric_mean', 'geometric_mean', 0.001, true),
    ('geometric_mean', 'geometric_mean', 0.00001, false),
    ('mean_of_none', 'mean', 0.5, false),
    ('sum_of_none', 'sum', 3, false),
    ('geometric_mean_of_none', 'geometric_mean', 0.1, false)

),

expected_scores (case_name, expected, expected_all_topics) as (

    values
    ('mean', 0.25, 0.2),                      -- the mean takes no logarithm of the 0
    ('sum', 7.0, 12.0),
    ('geometric_mean', 0.01, 0.001),          -- 10^((-1 - 3) / 2) and 10^((-1 - 3 - 5) / 3)
    ('mean_of_none', null, 0.5),
    ('sum_of_none', null, 3.0),               -- null and not 0
    ('geometric_mean_of_none', null, 0.1)

),

-- one row per run
run_scores as (

    select
        run_id,
        {{ over_topics('score', 'aggregation', 'is_answered') }} as score,
        {{ over_topics('score', 'aggregation', 'true') }} as score_all_topics
    from topic_scores
    group by run_id

),

scored as (

    select
        coalesce(run_scores.run_id, expected_scores.case_name) as case_name,
        run_scores.score,
        run_scores.score_all_topics,
        expected_scores.expected,
        expected_scores.expected_all_topics
    from run_scores
    full join expected_scores on run_scores.run_id = expected_scores.case_name

),

compared as (

    select
        case_name || ': answered' as case_name,
        score as actual,
        expected
    from scored
    union all
    select
        case_name || ': all' as case_name,
        score_all_topics as actual,
        expected_all_topics as expected
    from scored

)

{{ wrong_cases('compared', n_cases=12, tolerance=1e-12) }}
