with

{{ imports('int_common_judgements') }},

-- one row per run and topic that was judged for the run, which is the only sample of topics
common_topics as (

    select
        collection_key,
        {{ qrels_pool_key() }} as pool_key,
        run_key,
        1 as topic_sample,
        topic_key,
        topic_key as place,
        count(*) over (partition by run_key) as n_asked
    from common_judgements
    group by
        collection_key,
        run_key,
        topic_key

)

select * from common_topics
