with

{{ imports('int_collections', 'int_topics') }},

title_word_counts as (

    select * from {{ ref('int_title_word_counts') }}
    where reason is null or reason in ('frequency_unknown', 'frequency_too_low')

),

-- the words that count, with their natural keys
computed as (

    select
        collections.collection_id,
        topics.topic_id,
        title_word_counts.word,
        title_word_counts.document_set,
        cast(title_word_counts.n_documents as integer) as n_documents,
        cast(title_word_counts.n_with_word as integer) as n_with_word,
        title_word_counts.document_frequency,
        title_word_counts.n_with_word / title_word_counts.n_documents as document_share,
        {{ titlestat(
            'title_word_counts.n_with_word', 'title_word_counts.n_documents', 'title_word_counts.document_frequency'
        ) }} as titlestat
    from title_word_counts
    inner join collections using (collection_key)
    inner join topics using (collection_key, topic_key)

)

select * from computed
