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
        not authors.is_reference
        and {{ is_person('authors') }}
    group by all
    having count(*) > 1

),

-- the judgements of the reference
reference_labels as (

    select
        *,
        count(*) over (partition by collection_key) as n_labels
    from labels
    where author_key = 0

),

-- one row per author that judged less than the reference
incomplete as (

    select
        label_pairs.collection_key,
        label_pairs.other_author_key
    from label_pairs
    inner join reference_labels using (collection_key, topic_key, doc_key)
    where label_pairs.author_key = 0
    group by all
    having count(*) < any_value(reference_labels.n_labels)

),

-- one row per such author and judgement of the reference, beside the same judgement where the author judged, too: what the
-- documents of the author tell if the reference judges them
reference_of_common as (

    select
        reference_labels.collection_key,
        'reference' as documents,
        incomplete.other_author_key as compared_author_key,
        0 as author_key,
        0 as other_author_key,
        reference_labels.topic_key,
        reference_labels.doc_key,
        reference_labels.grade,
        label_pairs.grade as other_grade,
        cast(reference_labels.is_relevant as integer) as relevance,
        label_pairs.relevance as other_relevance
    from incomplete
    inner join reference_labels using (collection_key)
    left join label_pairs
        on
            reference_labels.collection_key = label_pairs.collection_key
            and reference_labels.topic_key = label_pairs.topic_key
            and reference_labels.doc_key = label_pairs.doc_key
            and label_pairs.author_key = 0
            and incomplete.other_author_key = label_pairs.other_author_key

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
    union all
    select * from reference_of_common

)

select * from described
