{{ config(materialized='table') }}

with

{{ imports(
    'stop_words', 'int_topics', 'int_documents', 'int_judged_topics', 'int_judgements where is_judged',
    'int_pool_documents where pool_key = 0', title_words='raw.title_words', judged_texts='raw.judged_texts',
    title_word_documents='raw.title_word_documents', document_frequencies='raw.document_frequencies'
) }},

-- one row per collection whose title words were looked up
looked_up as (

    select distinct collection_key from judged_texts

),

-- one row per document that has a text, or occurs in a table
documents_with_text as (

    select distinct
        documents.collection_key,
        documents.doc_key
    from judged_texts
    inner join documents
        on
            judged_texts.collection_key = documents.collection_key
            and judged_texts.docno = documents.doc_id

),

-- one row per topic, word of its title and document that contains the word
occurrences as (

    select distinct
        title_word_documents.collection_key,
        topics.topic_key,
        documents.doc_key,
        title_word_documents.word
    from title_word_documents
    inner join topics
        on
            title_word_documents.collection_key = topics.collection_key
            and title_word_documents.query = topics.topic_id
    inner join documents
        on
            title_word_documents.collection_key = documents.collection_key
            and title_word_documents.docno = documents.doc_id

),

-- one row per judged document of these collections, with the facts about it in the pool
judged_documents as (

    select
        judgements.collection_key,
        judgements.topic_key,
        judgements.doc_key,
        judgements.is_relevant,
        pool_documents.doc_key is not null as is_pooled,
        pool_documents.sole_organization_key,
        documents_with_text.doc_key is not null as has_text
    from looked_up
    inner join judgements using (collection_key)
    left join pool_documents using (collection_key, topic_key, doc_key)
    left join documents_with_text using (collection_key, doc_key)

),

-- one row per document set, topic and document in it
set_documents as (

    select
        document_sets.document_set,
        judged_documents.*
    from judged_documents
    cross join {{ document_sets() }} as document_sets (document_set)
    where {{ is_in_document_set('document_sets.document_set', 'judged_documents') }}

),

-- one row per document set and topic that has documents in it
set_sizes as (

    select
        collection_key,
        topic_key,
        document_set,
        count(*) as n_in_set,
        count(*) filter (where has_text) as n_documents
    from set_documents
    group by all

),

-- one row per document set, topic and word that a document of the set contains
word_counts as (

    select
        set_documents.collection_key,
        set_documents.topic_key,
        set_documents.document_set,
        occurrences.word,
        count(*) as n_with_word
    from set_documents
    inner join occurrences using (collection_key, topic_key, doc_key)
    where set_documents.has_text
    group by all

),

-- one row per document set, judged topic and word of its title; a topic without title words has a single row
-- without a word
title_words_of_topics as (

    select
        judged_topics.collection_key,
        judged_topics.topic_key,
        document_sets.document_set,
        title_words.word
    from looked_up
    inner join judged_topics using (collection_key)
    inner join topics using (collection_key, topic_key)
    cross join {{ document_sets() }} as document_sets (document_set)
    left join title_words
        on
            topics.collection_key = title_words.collection_key
            and topics.topic_id = title_words.query

),

-- the same rows with their figures
counted as (

    select
        title_words_of_topics.*,
        coalesce(set_sizes.n_in_set, 0) as n_in_set,
        coalesce(set_sizes.n_documents, 0) as n_documents,
        coalesce(word_counts.n_with_word, 0) as n_with_word,
        document_frequencies.document_frequency,
        stop_words.word is not null as is_stop_word
    from title_words_of_topics
    left join set_sizes using (collection_key, topic_key, document_set)
    left join word_counts using (collection_key, topic_key, document_set, word)
    left join document_frequencies using (collection_key, word)
    left join stop_words using (word)

),

-- the same rows with the reason why titlestat leaves a word out, or is unknown
explained as (

    select
        * exclude (is_stop_word),
        case
            when word is null then 'no_title_word'
            when is_stop_word then 'stop_word'
            when n_in_set = 0 then 'no_document'
            when n_documents = 0 then 'no_text'
            when document_frequency is null then 'frequency_unknown'
            when document_frequency < n_with_word then 'frequency_too_low'
            when document_frequency = 0 then 'in_no_document'
        end as reason
    from counted

)

select * from explained
