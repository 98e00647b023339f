-- question: Which title words does titlestat leave out?
-- about: papers
--
-- Buckley et al. 2006, section 2: a row per title word, or topic, that titlestat
-- leaves out or cannot compute, and document set that this applies to
-- (docs/title_words.md). word is null where the reason applies to the whole
-- topic, and document_set where it applies to all sets. Reasons to leave out:
-- stop_word; in_no_document, its document frequency is 0; no_title_word, the
-- topic has no title with a word; no_document, the set is empty; no_text, no
-- document of the set has a text. Reasons why titlestat is unknown:
-- frequency_unknown, no document frequency was loaded; frequency_too_low, more
-- documents of the set contain the word than the document frequency says.
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
