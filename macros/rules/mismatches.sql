{#-
    The CTE `mismatches`, one row per run whose ids do not meet those of the qrels: what does not meet, with an id of
    each side. Such a run is a wrong file, or of another version of the collection, rather than a bad system. It reads
    the CTEs `lines` (collection_key, run_key, topic_id, doc_id), with all lines of the runs that it is asked about,
    and `in_qrels` (collection_key, topic_id, doc_id).
-#}
{% macro mismatches() -%}
-- one row per run: how much of it is in the qrels, and its first ids
met as (

    select
        lines.collection_key,
        lines.run_key,
        count(judged.topic_id) as n_on_judged_topics,
        count(in_qrels.doc_id) as n_in_qrels,
        min(lines.topic_id) as topic_id,
        min(lines.doc_id) filter (where judged.topic_id is not null) as doc_id
    from lines
    left join (select distinct in_qrels.collection_key, in_qrels.topic_id from in_qrels) as judged
        using (collection_key, topic_id)
    left join in_qrels using (collection_key, topic_id, doc_id)
    group by all

),

-- one row per collection: the first ids of the qrels
first_in_qrels as (

    select
        collection_key,
        min(topic_id) as topic_id,
        min(doc_id) as doc_id
    from in_qrels
    group by collection_key

),

-- the runs that meet nothing, each with the document of the qrels that is next before its own: the part that both ids
-- share stands in front
unmet as (

    select
        met.collection_key,
        met.run_key,
        met.n_on_judged_topics = 0 as is_of_topics,
        met.topic_id,
        met.doc_id,
        first_in_qrels.topic_id as topic_in_qrels,
        coalesce(before.doc_id, first_in_qrels.doc_id) as doc_in_qrels
    from met
    inner join first_in_qrels using (collection_key)
    asof left join in_qrels as before
        on
            met.collection_key = before.collection_key
            and met.doc_id >= before.doc_id
    where met.n_in_qrels = 0

),

mismatches as (

    select
        collection_key,
        run_key,
        case
            when is_of_topics
                then 'none of its topics is judged (it has ' || topic_id || ', the qrels have ' || topic_in_qrels || ')'
            else 'none of its documents is in the qrels (it has ' || doc_id || ', the qrels have ' || doc_in_qrels || ')'
        end as mismatch
    from unmet

)
{%- endmacro %}

{#- An aggregate over the runs of a collection that meet nothing: what does not meet of the first one, and the others. -#}
{% macro mismatches_in_words(run_id, mismatch) -%}
    min_by({{ run_id }} || ': ' || {{ mismatch }}, {{ run_id }})
    || case
        when count(*) > 1
            then
                '; these runs do not meet the qrels either: '
                || array_to_string(list_slice(list({{ run_id }} order by {{ run_id }}), 2, 6), ', ')
        else ''
    end
    || case when count(*) > 6 then ' and ' || (count(*) - 6) || ' more' else '' end
{%- endmacro %}
