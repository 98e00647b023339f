{{ config(materialized='table') }}

with

{{ imports('stg_author_judgements', 'int_authors', 'int_topics', 'int_documents') }},

-- one row per author, topic and document; of several grades, the highest counts, as in the qrels. Topics that the
-- collection does not have are counted in int_authors.
graded as (

    select
        author_judgements.collection_key,
        authors.author_key,
        topics.topic_key,
        documents.doc_key,
        max(author_judgements.grade) as grade,
        arg_max(author_judgements.judged_at, author_judgements.grade) as judged_at
    from author_judgements
    inner join authors using (collection_key, author)
    inner join topics using (collection_key, topic_id)
    inner join documents using (collection_key, doc_id)
    group by all

),

-- the same rows with the meaning of the grade, by the threshold of the author, and on the scale of the reference
classified as (

    select
        graded.collection_key,
        graded.author_key,
        graded.topic_key,
        graded.doc_key,
        graded.grade,
        {{ translated_grade('graded.grade', 'authors', 'reference_author') }} as reference_grade,
        {{ is_judged('graded.grade') }} as is_judged,
        {{ is_relevant('graded.grade', 'authors.relevance_threshold') }} as is_relevant,
        graded.judged_at
    from graded
    inner join authors using (collection_key, author_key)
    inner join authors as reference_author
        on
            graded.collection_key = reference_author.collection_key
            and reference_author.is_reference

)

select * from classified
