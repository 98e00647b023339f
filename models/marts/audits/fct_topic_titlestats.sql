with

{{ imports('fct_word_titlestats') }},

-- one row per collection, topic and document set with a word that counts
averaged as (

    select
        collection_id,
        topic_id,
        document_set,
        max(n_documents) as n_documents,
        cast(count(*) as integer) as n_words,
        cast(count(*) - count(titlestat) as integer) as n_words_unknown,
        avg(document_share) as document_share,
        case when count(titlestat) = count(*) then avg(titlestat) end as titlestat
    from word_titlestats
    group by all

)

select * from averaged
