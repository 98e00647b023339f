with

{{ imports('int_authors', 'int_collections', 'int_topics', reliability='int_author_reliability') }},

-- one row per collection: how many authors it has
author_counts as (

    select
        collection_key,
        cast(count(*) as integer) as n_authors
    from authors
    group by collection_key

),

named as (

    select
        collections.collection_id,
        topics.topic_id,
        author_counts.n_authors,
        reliability.n_pairs,
        reliability.n_labels,
        reliability.n_unanimous,
        reliability.alpha,
        reliability.alpha_of_grades
    from reliability
    inner join collections using (collection_key)
    inner join author_counts using (collection_key)
    -- the row over all topics has no topic
    left join topics using (collection_key, topic_key)

)

select * from named
