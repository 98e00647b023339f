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
    (2, 1, 'd11', 8.0, 1),
    -- version 10 reads doubles, of which two are one 32-bit float
    (3, 1, 'd1', 1.00000002, 1),
    (3, 1, 'd2', 1.00000001, 2)

),

compared as (

    select
        concat_ws(' ', 'run', run_key, 'topic', topic_key, 'document', doc_id) as case_name,
        {{ trec_eval_rank(version=10) }} as actual,
        expected
    from retrieved

),

-- version 9 reads 32-bit floats: the greater document id of a tie comes first
tied_as_floats as (

    select
        doc_id as case_name,
        {{ trec_eval_rank(version=9) }} as actual,
        case doc_id when 'd2' then 1 else 2 end as expected
    from retrieved
    where run_key = 3

)

{{ wrong_cases('compared', n_cases=14) }}
union all
{{ wrong_cases('tied_as_floats', n_cases=2) }}
