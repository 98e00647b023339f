with

{{ imports('int_labels', 'int_authors') }},

-- one row per pair of authors, the reference or the lower key first, topic and document that both judged
label_pairs as (

    select
        one.collection_key,
        one.author_key,
        other.author_key as other_author_key,
        one.topic_key,
        one.doc_key,
        one.grade,
        other.grade as other_grade,
        one.reference_grade,
        other.reference_grade as other_reference_grade,
        cast(one.is_relevant as integer) as relevance,
        cast(other.is_relevant as integer) as other_relevance
    from labels as one
    inner join labels as other
        on
            one.collection_key = other.collection_key
            and one.topic_key = other.topic_key
            and one.doc_key = other.doc_key
            and one.author_key < other.author_key
    inner join authors as other_authors
        on
            other.collection_key = other_authors.collection_key
            and other.author_key = other_authors.author_key
    where
        one.is_judged
        and other.is_judged
        -- the reference is not compared with its own judgements
        and (one.author_key > 0 or other_authors.is_compared)
)

select * from label_pairs
