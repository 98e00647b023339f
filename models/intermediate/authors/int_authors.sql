{{ config(materialized='table') }}

with

{{ imports(
    'stg_authors', 'stg_author_judgements', 'stg_qrels', 'int_collections', 'int_topics', 'int_judgements'
) }},

-- one row per author: the reference has key 0, and the others follow by name
numbered as (

    select
        *,
        cast(
            row_number() over (partition by collection_key order by not is_reference asc, author asc) - 1 as integer
        ) as author_key
    from authors

),

-- one row per author other than the reference: what its file has
loaded as (

    select
        author_judgements.collection_key,
        author_judgements.author,
        max(author_judgements.grade) as highest_grade,
        cast(count(distinct author_judgements.topic_id) filter (where topics.topic_key is null) as integer)
            as n_unknown_topics,
        cast(count(*) filter (where topics.topic_key is null) as integer) as n_lines_of_unknown_topics
    from author_judgements
    left join topics using (collection_key, topic_id)
    group by all

),

-- one row per author other than the reference, topic and document that it judged
labels as (

    select
        collection_key,
        author,
        topic_id,
        doc_id,
        max(grade) as grade
    from author_judgements
    group by all
    having {{ is_judged('max(grade)') }}

),

-- the same of the reference, in collections with other authors
reference_labels as (

    select
        qrels.collection_key,
        qrels.topic_id,
        qrels.doc_id,
        max(qrels.grade) as grade
    from qrels
    semi join loaded using (collection_key)
    group by all
    having {{ is_judged('max(qrels.grade)') }}

),

-- authors whose judgements are those of the reference: the same documents, with the same grades, and no others
copies as (

    select
        labels.collection_key,
        labels.author
    from labels
    left join reference_labels using (collection_key, topic_id, doc_id, grade)
    group by
        labels.collection_key,
        labels.author
    having
        count(*) = count(reference_labels.grade)
        and count(*) = (
            select count(*) from reference_labels as counted
            where counted.collection_key = labels.collection_key
        )

),

-- one row per collection: the highest grade of the reference
reference_grades as (

    select
        judgements.collection_key,
        max(judgements.grade) as highest_grade
    from judgements
    group by all

),

-- the same rows with the scale of each author, declared or as its grades show it
described as (

    select
        numbered.collection_key,
        numbered.author_key,
        numbered.author,
        numbered.is_reference,
        -- answers are the qrels, or were until somebody replaced them: who gave them would be compared with itself
        not numbered.is_reference
        and not numbered.has_answered
        and copies.author is null as is_compared,
        numbered.kind,
        numbered.model,
        numbered.prompt,
        numbered.judged_on,
        numbered.notes,
        case
            when numbered.is_reference then collections.relevance_threshold
            else coalesce(numbered.relevance_threshold, collections.relevance_threshold)
        end as relevance_threshold,
        numbered.highest_grade as declared_highest_grade,
        greatest(
            coalesce(numbered.highest_grade, loaded.highest_grade, reference_grades.highest_grade, 0),
            coalesce(
                case when not numbered.is_reference then numbered.relevance_threshold end,
                collections.relevance_threshold
            )
        ) as highest_grade,
        coalesce(loaded.n_unknown_topics, 0) as n_unknown_topics,
        coalesce(loaded.n_lines_of_unknown_topics, 0) as n_lines_of_unknown_topics
    from numbered
    inner join collections using (collection_key)
    left join loaded using (collection_key, author)
    left join copies using (collection_key, author)
    left join reference_grades
        on
            numbered.collection_key = reference_grades.collection_key
            and numbered.is_reference

)

select * from described
