with

{{ imports('int_collections', 'int_topics', 'int_title_word_counts where reason is not null') }},

-- one row per word or topic that is left out or unknown; some reasons hold for every document set, and some for
-- every word
told as (

    select distinct
        collections.collection_id,
        topics.topic_id,
        case when title_word_counts.reason not in ('no_document', 'no_text') then title_word_counts.word end as word,
        case
            when title_word_counts.reason in ('no_document', 'no_text', 'frequency_too_low')
                then title_word_counts.document_set
        end as document_set,
        title_word_counts.reason
    from title_word_counts
    inner join collections using (collection_key)
    inner join topics using (collection_key, topic_key)

)

select * from told
