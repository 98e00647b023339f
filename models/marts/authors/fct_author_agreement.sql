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

-- the same rows with the names, and whether both are persons
described as (

    select
        agreement.*,
        one.author,
        other.author as other_author,
        {{ is_person('one') }} and {{ is_person('other') }} as is_of_persons
    from agreement
    inner join authors as one using (collection_key, author_key)
    inner join authors as other
        on
            agreement.collection_key = other.collection_key
            and agreement.other_author_key = other.author_key

),

-- one row per collection in which persons judged the same documents: how well they agree
ceilings as (

    select
        collection_key,
        sum(n_pairs * kappa) / sum(n_pairs) filter (where kappa is not null) as kappa_of_persons,
        sum(n_pairs * weighted_kappa) / sum(n_pairs) filter (where weighted_kappa is not null)
            as weighted_kappa_of_persons
    from described
    where
        is_of_persons
        and topic_key is null
    group by collection_key

),

named as (

    select
        collections.collection_id,
        topics.topic_id,
        described.author,
        described.other_author,
        described.n_pairs,
        described.n_relevant,
        described.n_relevant_by_other,
        described.n_relevant_by_both,
        described.agreement,
        described.kappa,
        described.weighted_kappa,
        described.relevance_difference,
        described.grade_difference,
        ceilings.kappa_of_persons,
        ceilings.weighted_kappa_of_persons
    from described
    inner join collections using (collection_key)
    left join topics using (collection_key, topic_key)
    left join ceilings using (collection_key)

)

select * from named
