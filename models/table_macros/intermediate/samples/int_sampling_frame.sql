{{ config(arguments=['collection', 'design']) }}
-- a variance needs so many documents
{%- set fewest = 2 %}

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
        designed.is_sampled and coalesce(judgements.is_judged, false) as is_answered
    from designed
    cross join asked_collection
    left join topics using (collection_key, topic_id)
    left join documents using (collection_key, doc_id)
    left join judgements using (collection_key, topic_key, doc_key)

),

-- the same rows with counts of their strata, topics and draws. Strata that are independent are drawn each by itself,
-- and others of the topic together. A row is faulty with a gap, or with a probability of which no estimate can be
-- made: that of a document among more than 10^15.
counted as (

    select
        *,
        count(*) over of_stratum as n_listed,
        count(*) filter (where is_answered) over of_stratum as n_answered_of_stratum,
        count(*) filter (where is_sampled) over of_draw as n_sampled_of_draw,
        count(*) filter (where is_answered) over of_draw as n_answered_of_draw,
        count(*) filter (where is_answered) over of_topic as n_answered,
        count(*) filter (where is_answered and is_relevant) over of_topic as n_relevant_sampled,
        row_number() over (partition by topic_id, doc_id) > 1 as is_repeated,
        not coalesce(
            is_sampled is not null
            and inclusion_probability between 1e-15 and 1
            and joint_probability between 1e-30 and 1
            and between_factor between 1e-15 and 1,
            false
        ) as is_faulty
    from keyed
    window
        of_stratum as (partition by topic_id, stratum),
        of_draw as (partition by topic_id, case when between_factor = 1 then stratum end),
        of_topic as (partition by topic_id)

),

-- the same rows: which part of the documents of a draw, and of their pairs, is answered. 1 where all are.
answered_parts as (

    select
        *,
        case when n_sampled_of_draw = 0 then 1 else n_answered_of_draw / n_sampled_of_draw end as answered_part,
        case
            when n_answered_of_draw = n_sampled_of_draw then 1
            else answered_part * (n_answered_of_draw - 1) / (n_sampled_of_draw - 1)
        end as answered_part_of_pairs
    from counted

),

-- the same rows. The answered documents of a draw count as a simple random part of it, and this part is a draw of fewer
-- documents. A topic is scored if each draw has enough.
chosen as (

    select
        * replace (
            inclusion_probability * answered_part as inclusion_probability,
            joint_probability * answered_part_of_pairs as joint_probability,
            case
                when between_factor = 1 then 1
                else between_factor * answered_part_of_pairs / pow(answered_part, 2)
            end as between_factor
        ),
        bool_and(n_answered_of_draw >= least({{ fewest }}, n_sampled_of_draw)) over (partition by topic_id) as is_scored
    from answered_parts

),

-- one row: the number of documents; or an error that says what is wrong
checked as (

    select
        case
            when not any_value(asked_collection.is_judged)
                then {{ not_judged('any_value(asked_collection.collection_id)') }}
            when count(chosen.doc_id) = 0 then error('the design has no document')
            when bool_or(chosen.is_repeated)
                then error(
                    'the design has document ''' || min(chosen.doc_id) filter (where chosen.is_repeated)
                    || ''' twice in a topic'
                )
            when bool_or(chosen.is_faulty)
                then error('the design has a probability that is near 0 or above 1, or a gap')
            when bool_or(chosen.n_listed is distinct from chosen.n_documents)
                then error('the design lacks documents of a stratum: it needs those that are not sampled, too')
            when not bool_or(chosen.is_scored)
                then error(
                    'no topic can be scored, because a sample needs {{ fewest }} or more judged documents '
                    || 'of each stratum, and '
                    || count(*) filter (where chosen.is_answered) || ' of ' || count(*) filter (where chosen.is_sampled)
                    || ' sampled documents are judged: load more grades'
                    || ' (poolhouse pool load, or poolhouse load COLLECTION --qrels FILE) and build'
                )
            else count(*)
        end as n_documents
    from asked_collection
    left join chosen using (collection_key)

),

-- one row per document of the design, in scored topics and others
frame as (

    select
        chosen.collection_key,
        chosen.topic_key,
        chosen.topic_id,
        chosen.doc_key,
        chosen.stratum,
        chosen.n_documents,
        chosen.n_answered_of_stratum,
        chosen.n_answered,
        chosen.n_relevant_sampled,
        chosen.inclusion_probability,
        chosen.joint_probability,
        chosen.between_factor,
        chosen.is_scored,
        chosen.is_sampled,
        chosen.is_answered,
        chosen.is_answered and chosen.is_relevant as is_relevant,
        case when chosen.is_answered then chosen.grade end as grade
    from checked
    inner join chosen on checked.n_documents > 0

)

select * from frame
