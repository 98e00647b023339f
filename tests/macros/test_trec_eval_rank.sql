with

retrieved (run_key, topic_key, doc_key, score, expected) as (

    values
    -- scores decide, and a lower document key does not help
    (1, 1, 11, 2.5, 2),
    (1, 1, 12, 9.0, 1),
    (1, 1, 13, -1.0, 3),
    -- the same scores: the greater document key first
    (1, 2, 21, 0.5, 3),
    (1, 2, 23, 0.5, 1),
    (1, 2, 22, 0.5, 2),
    -- every run and every topic is ranked by itself
    (2, 1, 12, 1.0, 2),
    (2, 1, 11, 8.0, 1)

),

compared as (

    select
        concat_ws(' ', 'run', run_key, 'topic', topic_key, 'document', doc_key) as case_name,
        {{ trec_eval_rank() }} as actual,
        expected
    from retrieved

)

{{ wrong_cases('compared', n_cases=8) }}
