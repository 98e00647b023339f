with

{{ imports(
    'int_label_pairs', 'int_authors', labels='int_labels where is_judged'
) }},

-- one row per document that two persons beside the reference judged: the first of them and the last
judged_twice as (

    select
        labels.collection_key,
        labels.topic_key,
        labels.doc_key,
        min(labels.author_key) as first_author_key,
        max(labels.author_key) as last_author_key
    from labels
    inner join authors using (collection_key, author_key)
    where
        authors.kind = 'person'
        and not authors.is_reference
    group by all
    having count(*) > 1

),

-- one row per comparison that a pair of labels belongs to: an author beside the reference, on all documents that both
-- judged and on those that were judged twice; on these, a person beside another, and beside the reference
compared as (

    select
        label_pairs.collection_key,
        unnest([
            case when label_pairs.author_key = 0 then 'common' end,
            case
                when label_pairs.author_key = 0 and judged_twice.doc_key is not null then 'judged twice'
            end,
            case
                when
                    label_pairs.author_key = judged_twice.first_author_key
                    and label_pairs.other_author_key = judged_twice.last_author_key
                    then 'persons'
            end,
            case
                when label_pairs.author_key > 0 then null
                when label_pairs.other_author_key = judged_twice.first_author_key then 'first person'
                when label_pairs.other_author_key = judged_twice.last_author_key then 'last person'
            end
        ]) as documents,
        label_pairs.* exclude (collection_key)
    from label_pairs
    left join judged_twice using (collection_key, topic_key, doc_key)

),

-- the same rows; the author is the reference where the comparison is of persons in general
described as (

    select
        collection_key,
        documents,
        case when documents in ('common', 'judged twice') then other_author_key else 0 end as compared_author_key,
        author_key,
        other_author_key,
        topic_key,
        doc_key,
        grade,
        other_grade,
        relevance,
        other_relevance
    from compared
    where documents is not null

)

select * from described
