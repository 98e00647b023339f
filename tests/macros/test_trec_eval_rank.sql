with

retrieved (run_key, topic_key, doc_id, score, expected) as (

    values
    -- scores decide, whatever the document ids are
    (1, 1, 'd11', 2.5, 2),
    (1, 1, 'd12', 9.0, 1),
    (1, 1, 'd13', -1.0, 3),
    -- scores are equal: the greater document id comes first
    (1, 2, 'd21', 0.5, 3),
    (1, 2, 'd23', 0.5, 1),
    (1, 2, 'd22', 0.5, 2),
    -- the byte order of ids decides: not the order of numbers or of words
    (1, 3, 'd9', 0.5, 2),
    (1, 3, 'd10', 0.5, 3),
    (1, 3, 'D9', 0.5, 4),
    (1, 3, 'é', 0.5, 1),
    -- every run and every topic is ranked separately
    (2, 1, 'd12', 1.0, 2),
    (2, 1, 'd11', 8.0, 1)

),

compared as (

    select
        concat_ws(' ', 'run', run_key, 'topic', topic_key, 'document', doc_id) as case_name,
        {{ trec_eval_rank() }} as actual,
        expected
    from retrieved

)

{{ wrong_cases('compared', n_cases=12) }}
