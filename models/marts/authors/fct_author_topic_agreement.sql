with

{{ imports('int_author_agreement', 'int_authors', 'int_collections', 'int_topics') }},

named as (

    select
        collections.collection_id,
        topics.topic_id,
        one.author,
        other.author as other_author,
        author_agreement.n_pairs,
        author_agreement.n_relevant,
        author_agreement.n_relevant_by_other,
        author_agreement.n_relevant_by_both,
        author_agreement.agreement,
        author_agreement.kappa,
        author_agreement.weighted_kappa,
        author_agreement.relevance_difference,
        author_agreement.grade_difference
    from author_agreement
    inner join collections on author_agreement.collection_key = collections.collection_key
    -- the rows over all topics have no topic
    inner join topics
        on
            author_agreement.collection_key = topics.collection_key
            and author_agreement.topic_key = topics.topic_key
    inner join authors as one
        on
            author_agreement.collection_key = one.collection_key
            and author_agreement.author_key = one.author_key
    inner join authors as other
        on
            author_agreement.collection_key = other.collection_key
            and author_agreement.other_author_key = other.author_key

)

select * from named
