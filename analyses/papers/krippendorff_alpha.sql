-- question: Do all authors of the judgements agree?
-- about: papers
--
-- Krippendorff 2004, section 11.3: a row per collection with several authors and
-- topic, and one for all topics, whose topic_id is null, with alpha over the
-- documents that two or more of them judged (docs/judges.md). Missing labels are
-- allowed. A judgement of the reference that another author gave (dim_authors:
-- is_compared) counts once. n_pairs counts topics and documents with two or more
-- labels, n_labels their labels, and n_unanimous those on whose relevance all
-- authors agree. alpha is of relevance, yes or no, and alpha_of_grades of the
-- grades on the scale of the reference; both are up to 1, 0 by chance, and null
-- where all labels are the same. judges_agreement has kappa of each two authors.
with

{{ imports('int_authors', 'int_collections', 'int_topics', 'int_labels') }},

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

),

-- one row per collection: how many authors it has
author_counts as (

    select
        collection_key,
        cast(count(*) as integer) as n_authors
    from authors
    group by collection_key

),

named as (

    select
        collections.collection_id,
        topics.topic_id,
        author_counts.n_authors,
        reliability.n_pairs,
        reliability.n_labels,
        reliability.n_unanimous,
        reliability.alpha,
        reliability.alpha_of_grades
    from reliability
    inner join collections using (collection_key)
    inner join author_counts using (collection_key)
    -- the row over all topics has no topic
    left join topics using (collection_key, topic_key)

)

select * from named
