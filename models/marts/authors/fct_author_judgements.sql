with

{{ imports(
    'int_author_judgements', 'int_authors', 'int_judgements', 'int_collections', 'int_topics', 'int_documents'
) }},

named as (

    select
        collections.collection_id,
        authors.author,
        topics.topic_id,
        documents.doc_id,
        author_judgements.grade,
        author_judgements.reference_grade,
        author_judgements.is_judged,
        author_judgements.is_relevant,
        judgements.grade as grade_of_reference,
        judgements.is_relevant as is_relevant_by_reference,
        author_judgements.judged_at
    from author_judgements
    inner join authors using (collection_key, author_key)
    inner join collections using (collection_key)
    inner join topics using (collection_key, topic_key)
    inner join documents using (collection_key, doc_key)
    left join judgements
        on
            author_judgements.collection_key = judgements.collection_key
            and author_judgements.topic_key = judgements.topic_key
            and author_judgements.doc_key = judgements.doc_key
            and judgements.is_judged

)

select * from named
