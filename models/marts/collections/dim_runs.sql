with

{{ imports('int_collections', 'int_runs', 'int_pooled_states', 'int_pooled_runs', 'int_run_topics') }},

-- one row per run that answers a judged topic; a topic whose documents are all in the qrels says nothing about the
-- depth
topic_counts as (

    select
        run_key,
        count(*) as n_topics,
        sum(n_retrieved) as n_retrieved,
        sum(n_retrieved_in_qrels) as n_retrieved_in_qrels,
        min(n_leading_in_qrels) filter (where n_leading_in_qrels < n_retrieved) as judged_depth
    from run_topics
    group by run_key

),

described as (

    select
        collections.collection_id,
        runs.run_id,
        runs.organization,
        runs.run_type,
        pooled_states.is_pooled,
        pooled_runs.pool_depth,
        cast(topic_counts.judged_depth as integer) as judged_depth,
        cast(coalesce(topic_counts.n_topics, 0) as integer) as n_topics,
        cast(coalesce(topic_counts.n_retrieved, 0) as integer) as n_retrieved,
        cast(coalesce(topic_counts.n_retrieved_in_qrels, 0) as integer) as n_retrieved_in_qrels
    from runs
    inner join collections using (collection_key)
    inner join pooled_states using (run_key)
    left join pooled_runs using (run_key)
    left join topic_counts using (run_key)

)

select * from described
