with

{{ imports('int_run_topics') }},

-- one row per run; a topic whose documents are all in the qrels says nothing about the depth
run_depths as (

    select
        collection_key,
        run_key,
        min(n_leading_in_qrels) filter (where n_leading_in_qrels < n_retrieved) as depth
    from run_topics
    group by all

)

select * from run_depths
