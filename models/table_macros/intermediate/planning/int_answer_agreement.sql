{{ config(arguments=['collection', 'assessor'], materialized='own_macro') }}

with

{{ imports('stg_collections', 'stg_authors where has_answered', 'stg_author_judgements') }},

-- one row per assessor, topic and document with an answer that is a judgement
answers as (

    select
        authors.author,
        author_judgements.topic_id,
        author_judgements.doc_id,
        cast(
            {{ is_relevant('max(author_judgements.grade)', 'any_value(collections.relevance_threshold)') }} as integer
        ) as relevance
    from collections
    inner join authors using (collection_key)
    inner join author_judgements using (collection_key, author)
    where collections.collection_id = collection
    group by all
    having {{ is_judged('max(author_judgements.grade)') }}

),

-- one row per other assessor with answers on the same documents
agreement as (

    select
        other.author as other_author,
        cast(count(*) as integer) as n_pairs,
        {{ kappa('one.relevance', 'other.relevance') }} as kappa
    from answers as one
    inner join answers as other using (topic_id, doc_id)
    where
        one.author = assessor
        and other.author <> assessor
    group by all

)

select * from agreement
