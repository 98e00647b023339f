with

{{ imports('int_label_pairs') }},

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

)

select * from agreement
