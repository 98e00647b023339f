with

{{ imports('int_labels', 'int_authors') }},

-- authors beside the reference
other_authors as (

    select * from authors
    where not is_reference

),

-- the judgements that another author gave under its own name, too: they count once, as the judgements of this author
given_by_others as (

    select distinct
        labels.collection_key,
        labels.topic_key,
        labels.doc_key
    from labels
    inner join other_authors using (collection_key, author_key)
    where
        labels.is_judged
        and not other_authors.is_compared

),

-- one row per collection with several authors, topic and document that two or more of them judged
units as (

    select
        labels.collection_key,
        labels.topic_key,
        labels.doc_key,
        count(*) as n_authors,
        cast(sum(cast(labels.is_relevant as integer)) as double) as n_relevant,
        cast(sum(labels.reference_grade) as double) as sum_of_grades,
        cast(sum(labels.reference_grade * labels.reference_grade) as double) as sum_of_squares
    from labels
    semi join other_authors using (collection_key)
    left join given_by_others using (collection_key, topic_key, doc_key)
    where
        labels.is_judged
        and (labels.author_key > 0 or given_by_others.doc_key is null)
    group by
        labels.collection_key,
        labels.topic_key,
        labels.doc_key
    having count(*) > 1

),

-- one row per collection and topic, and one without a topic for all topics
reliability as (

    select
        collection_key,
        topic_key,
        cast(count(*) as integer) as n_pairs,
        cast(sum(n_authors) as integer) as n_labels,
        cast(count(*) filter (where n_relevant in (0, n_authors)) as integer) as n_unanimous,
        {{ krippendorff_alpha('n_authors', 'n_relevant', 'n_relevant') }} as alpha,
        {{ krippendorff_alpha('n_authors', 'sum_of_grades', 'sum_of_squares') }} as alpha_of_grades
    from units
    group by
        collection_key,
        rollup(topic_key)

)

select * from reliability
