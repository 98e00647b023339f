with

{{ imports('int_labels', 'int_authors', 'int_collections', 'int_topics', 'int_documents') }},

-- the documents at the first ten ranks
first_documents as (

    select
        collection_key,
        topic_key,
        doc_key,
        run_key
    from {{ ref('int_rankings') }}
    where rank <= 10

),

-- one row per judgement of the reference and label of another author
compared as (

    select
        qrels.collection_key,
        qrels.topic_key,
        qrels.doc_key,
        qrels.grade,
        qrels.is_relevant,
        labels.reference_grade as other_grade,
        labels.is_relevant as other_is_relevant
    from labels
    inner join labels as qrels
        on
            labels.collection_key = qrels.collection_key
            and labels.topic_key = qrels.topic_key
            and labels.doc_key = qrels.doc_key
            and qrels.author_key = 0
    inner join authors
        on
            labels.collection_key = authors.collection_key
            and labels.author_key = authors.author_key
    where
        labels.author_key > 0
        and labels.is_judged
        and qrels.is_judged
        -- who gave this judgement is no other author
        and (authors.is_compared or labels.grade <> qrels.grade)

),

-- one row per judgement that most of the other authors contradict
disputed as (

    select
        collection_key,
        topic_key,
        doc_key,
        grade,
        is_relevant,
        cast(count(*) as integer) as n_others,
        cast(count(*) filter (where other_is_relevant <> is_relevant) as integer) as n_contradicting,
        avg(other_grade) as mean_grade_of_others
    from compared
    group by all
    having count(*) filter (where other_is_relevant <> is_relevant) * 2 > count(*)

),

-- the same rows with the number of runs that return the document among their first ten
exposed as (

    select
        disputed.*,
        cast(count(first_documents.run_key) as integer) as n_runs_at_10
    from disputed
    left join first_documents using (collection_key, topic_key, doc_key)
    group by all

),

named as (

    select
        collections.collection_id,
        topics.topic_id,
        documents.doc_id,
        authors.author as reference_author,
        exposed.grade,
        exposed.is_relevant,
        exposed.n_others,
        exposed.n_contradicting,
        exposed.mean_grade_of_others,
        exposed.n_runs_at_10
    from exposed
    inner join collections using (collection_key)
    inner join authors
        on
            exposed.collection_key = authors.collection_key
            and authors.is_reference
    inner join topics
        on
            exposed.collection_key = topics.collection_key
            and exposed.topic_key = topics.topic_key
    inner join documents
        on
            exposed.collection_key = documents.collection_key
            and exposed.doc_key = documents.doc_key

)

select * from named
