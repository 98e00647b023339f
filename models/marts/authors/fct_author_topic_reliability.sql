with

{{ imports('int_author_reliability', 'int_collections', 'int_topics') }},

named as (

    select
        collections.collection_id,
        topics.topic_id,
        author_reliability.n_pairs,
        author_reliability.n_labels,
        author_reliability.n_unanimous,
        author_reliability.alpha,
        author_reliability.alpha_of_grades
    from author_reliability
    inner join collections on author_reliability.collection_key = collections.collection_key
    -- the row over all topics has no topic
    inner join topics
        on
            author_reliability.collection_key = topics.collection_key
            and author_reliability.topic_key = topics.topic_key

)

select * from named
