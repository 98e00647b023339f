with

{{ imports('int_authors', 'int_labels', 'int_collections', 'int_author_judgements') }},

-- the judgements of the reference
judged_by_reference as (

    select
        collection_key,
        topic_key,
        doc_key
    from labels
    where
        author_key = 0
        and is_judged

),

-- one row per author with a judgement about a topic of the collection
label_counts as (

    select
        labels.collection_key,
        labels.author_key,
        count(*) as n_judged,
        count_if(labels.is_relevant) as n_relevant,
        count(distinct labels.topic_key) as n_topics,
        count(judged_by_reference.doc_key) as n_judged_by_reference_too
    from labels
    left join judged_by_reference using (collection_key, topic_key, doc_key)
    where labels.is_judged
    group by
        labels.collection_key,
        labels.author_key

),

-- one row per author other than the reference with a declared highest grade: the grades above it
grades_above as (

    select
        labels.collection_key,
        labels.author_key,
        count_if(labels.grade > authors.declared_highest_grade) as n_above_scale
    from labels
    inner join authors using (collection_key, author_key)
    where authors.declared_highest_grade is not null
    group by
        labels.collection_key,
        labels.author_key

),

-- one row per author other than the reference: when the first and the last of its grades that count were loaded
times as (

    select
        collection_key,
        author_key,
        min(judged_at) as first_judged_at,
        max(judged_at) as last_judged_at
    from author_judgements
    group by
        collection_key,
        author_key

),

-- one row per collection: the number of judgements of the reference
reference_counts as (

    select
        collection_key,
        n_judged
    from label_counts
    where author_key = 0

),

described as (

    select
        collections.collection_id,
        authors.author,
        authors.is_reference,
        authors.is_compared,
        authors.kind,
        authors.model,
        authors.prompt,
        authors.judged_on,
        authors.notes,
        authors.relevance_threshold,
        authors.highest_grade,
        cast(coalesce(label_counts.n_judged, 0) as bigint) as n_judged,
        cast(coalesce(label_counts.n_relevant, 0) as bigint) as n_relevant,
        cast(coalesce(label_counts.n_topics, 0) as integer) as n_topics,
        cast(coalesce(label_counts.n_judged_by_reference_too, 0) as bigint) as n_judged_by_reference_too,
        cast(coalesce(label_counts.n_judged_by_reference_too, 0) as double) / reference_counts.n_judged
            as share_of_reference,
        cast(coalesce(label_counts.n_judged - label_counts.n_judged_by_reference_too, 0) as bigint) as n_labels_beyond,
        authors.n_unknown_topics,
        authors.n_lines_of_unknown_topics,
        cast(
            case when authors.declared_highest_grade is not null then coalesce(grades_above.n_above_scale, 0) end
            as bigint
        ) as n_above_scale,
        times.first_judged_at,
        times.last_judged_at
    from authors
    inner join collections using (collection_key)
    left join label_counts using (collection_key, author_key)
    left join grades_above using (collection_key, author_key)
    left join times using (collection_key, author_key)
    left join reference_counts using (collection_key)

)

select * from described
