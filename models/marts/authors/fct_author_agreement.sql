with

{{ imports('int_authors', 'int_collections', 'int_topics', 'int_label_pairs') }},

-- one row per pair of authors and topic, and one without a topic for all topics
agreement as (

    select
        collection_key,
        author_key,
        other_author_key,
        topic_key,
        cast(count(*) as integer) as n_pairs,
        cast(sum(relevance) as integer) as n_relevant,
        cast(sum(other_relevance) as integer) as n_relevant_by_other,
        cast(sum(relevance * other_relevance) as integer) as n_relevant_by_both,
        avg(cast(relevance = other_relevance as integer)) as agreement,
        {{ kappa('relevance', 'other_relevance') }} as kappa,
        {{ kappa('reference_grade', 'other_reference_grade') }} as weighted_kappa,
        avg(other_relevance - relevance) as relevance_difference,
        avg(other_reference_grade - reference_grade) as grade_difference
    from label_pairs
    group by
        collection_key,
        author_key,
        other_author_key,
        rollup(topic_key)

),

named as (

    select
        collections.collection_id,
        topics.topic_id,
        one.author,
        other.author as other_author,
        agreement.n_pairs,
        agreement.n_relevant,
        agreement.n_relevant_by_other,
        agreement.n_relevant_by_both,
        agreement.agreement,
        agreement.kappa,
        agreement.weighted_kappa,
        agreement.relevance_difference,
        agreement.grade_difference
    from agreement
    inner join collections using (collection_key)
    inner join authors as one using (collection_key, author_key)
    inner join authors as other
        on
            agreement.collection_key = other.collection_key
            and agreement.other_author_key = other.author_key
    left join topics
        on
            agreement.collection_key = topics.collection_key
            and agreement.topic_key = topics.topic_key

)

select * from named
