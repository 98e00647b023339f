with

{{ imports('fct_topic_titlestats', 'int_title_word_counts', 'int_collections') }},

-- one row per collection, judged topic and document set
judged_topics as (

    select
        collection_key,
        document_set,
        topic_key,
        max(n_in_set) as n_in_set,
        max(n_documents) as n_documents
    from title_word_counts
    group by all

),

-- one row per collection whose title words were looked up, and document set
set_sizes as (

    select
        collections.collection_id,
        judged_topics.document_set,
        count(*) as n_judged_topics,
        sum(judged_topics.n_documents) as n_documents,
        sum(judged_topics.n_in_set - judged_topics.n_documents) as n_without_text
    from judged_topics
    inner join collections using (collection_key)
    group by all

),

-- the same rows; a topic that is left out is not part of the mean
averaged as (

    select
        set_sizes.collection_id,
        set_sizes.document_set,
        cast(count(topic_titlestats.topic_id) as integer) as n_topics,
        cast(any_value(set_sizes.n_judged_topics) - count(topic_titlestats.topic_id) as integer) as n_topics_left_out,
        cast(count(topic_titlestats.topic_id) - count(topic_titlestats.titlestat) as integer) as n_topics_unknown,
        cast(any_value(set_sizes.n_documents) as bigint) as n_documents,
        cast(any_value(set_sizes.n_without_text) as bigint) as n_without_text,
        avg(topic_titlestats.document_share) as document_share,
        case
            when count(topic_titlestats.titlestat) = count(topic_titlestats.topic_id)
                then avg(topic_titlestats.titlestat)
        end as titlestat
    from set_sizes
    left join topic_titlestats using (collection_id, document_set)
    group by all

)

select * from averaged
