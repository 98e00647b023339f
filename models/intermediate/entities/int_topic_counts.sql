with

{{ imports('int_topics', 'int_judged_topics') }},

-- one row per collection with a topic
counted as (

    select
        topics.collection_key,
        count(*) as n_known_topics,
        count(judged_topics.topic_key) as n_judged_topics
    from topics
    left join judged_topics using (collection_key, topic_key)
    group by topics.collection_key

),

in_words as (

    select
        collection_key,
        n_known_topics,
        n_judged_topics,
        {{ topics_caveat('n_judged_topics', 'n_known_topics') }} as topics_caveat
    from counted

)

select * from in_words
