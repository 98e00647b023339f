{{ config(materialized='table_macro', arguments=['collection', 'design', 'only_judged_topics']) }}
-- The arguments have the names of columns:
-- noqa: disable=RF03

with

{{ imports('int_topics', 'int_documents', 'int_judgements') }},

{{ collection_of_plan() }},

-- one row per row of the design; a file may have numbers for ids
designed as (

    select
        cast(topic_id as varchar) as topic_id,
        cast(doc_id as varchar) as doc_id,
        stratum,
        n_documents,
        inclusion_probability,
        joint_probability,
        between_factor,
        is_sampled
    from query_table(design)

),

-- the same rows with the keys of the collection and the judgement; null for documents that no run returned and
-- nobody judged
keyed as (

    select
        asked_collection.collection_key,
        topics.topic_key,
        documents.doc_key,
        designed.*,
        judgements.grade,
        coalesce(judgements.is_relevant, false) as is_relevant,
        designed.is_sampled and not coalesce(judgements.is_judged, false) as is_missing
    from designed
    cross join asked_collection
    left join topics
        on
            asked_collection.collection_key = topics.collection_key
            and designed.topic_id = topics.topic_id
    left join documents
        on
            asked_collection.collection_key = documents.collection_key
            and designed.doc_id = documents.doc_id
    left join judgements
        on
            topics.collection_key = judgements.collection_key
            and topics.topic_key = judgements.topic_key
            and documents.doc_key = judgements.doc_key

),

-- the same rows with counts of their strata and topics
counted as (

    select
        *,
        count(*) over of_stratum as n_listed,
        count(*) filter (where is_sampled) over of_stratum as n_sampled_of_stratum,
        count(*) filter (where is_sampled) over of_topic as n_sampled,
        count(*) filter (where is_sampled and is_relevant) over of_topic as n_relevant_sampled,
        count(*) filter (where is_missing) over of_topic as n_missing
    from keyed
    window
        of_stratum as (partition by topic_id, stratum),
        of_topic as (partition by topic_id)

),

-- the rows of the topics that are scored
scored as (

    select * from counted
    where not only_judged_topics or n_missing = 0

),

repeated as (

    select
        topic_id,
        doc_id
    from designed
    group by
        topic_id,
        doc_id
    having count(*) > 1

),

-- rows with a gap, or with a probability that no estimate can be made of
faulty as (

    select doc_id
    from designed
    where
        is_sampled is null
        or n_documents is null
        {%- for probability in ['inclusion_probability', 'joint_probability', 'between_factor'] %}
        or coalesce({{ probability }}, 0) <= 0
        or {{ probability }} > 1
        {%- endfor %}

),

-- one row: the number of documents; or an error that says what is wrong
checked as (

    select
        case
            when not any_value(asked_collection.is_judged)
                then {{ not_judged('any_value(asked_collection.collection_id)') }}
            when (select count(*) from designed) = 0 then error('the design has no document')
            when exists (select 1 from repeated)
                then error('the design has document ''' || (select min(doc_id) from repeated) || ''' twice in a topic')
            when exists (select 1 from faulty)
                then error('the design has a probability that is not above 0 and at most 1, or a gap')
            when count(*) filter (where scored.n_listed <> scored.n_documents) > 0
                then error('the design lacks documents: it needs those that are not sampled, too')
            when count(*) filter (where scored.is_missing) > 0
                then error(
                    count(*) filter (where scored.is_missing) || ' of ' || count(*) filter (where scored.is_sampled)
                    || ' sampled documents are not judged, such as ' || min(scored.doc_id) filter (where scored.is_missing)
                    || ': load their grades (poolhouse load COLLECTION --qrels FILE), and build;'
                    || ' or only_judged_topics := true'
                )
            when count(scored.doc_id) = 0 then error('no topic of the design is judged as far as it was sampled')
            else count(scored.doc_id)
        end as n_documents
    from asked_collection
    left join scored on asked_collection.collection_key = scored.collection_key

),

-- one row per document of the frame, in the topics that are scored
frame as (

    select
        scored.collection_key,
        scored.topic_key,
        scored.topic_id,
        scored.doc_key,
        scored.stratum,
        scored.n_documents,
        scored.n_sampled_of_stratum,
        scored.n_sampled,
        scored.n_relevant_sampled,
        scored.inclusion_probability,
        scored.joint_probability,
        scored.between_factor,
        scored.is_sampled,
        scored.is_sampled and scored.is_relevant as is_relevant,
        case when scored.is_sampled then scored.grade end as grade
    from checked
    inner join scored on checked.n_documents > 0

)

select * from frame
