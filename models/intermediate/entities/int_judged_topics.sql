with

{{ imports('int_judgements') }},

-- topics with at least one line in the qrels
judged_topics as (

    select
        collection_key,
        topic_key,
        count(*) as n_pooled_documents,
        count(*) filter (where is_judged) as n_judged,
        count(*) filter (where is_relevant) as n_relevant
    from judgements
    group by all

)

select * from judged_topics
