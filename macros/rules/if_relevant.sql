{#-
    The rankings of requested runs, and the qrels of each run in which its unjudged documents down to a depth are relevant:
    what the score engine reads, as CTEs with the key `qrels_key`. They read `asked_collection`, the list `run_ids` of loaded
    runs, and the table `new_rankings` of other runs.
-#}
{% macro if_relevant(depth) -%}
collection_judgements as (

    select judgements.*
    from asked_collection
    inner join {{ ref('int_judgements') }} as judgements using (collection_key)

),

judged_topics as (

    select judged_topics.*
    from asked_collection
    inner join {{ ref('int_judged_topics') }} as judged_topics using (collection_key)

),

-- the rankings of the requested runs
rankings as (

    select
        runs.run_id,
        runs.run_key,
        rankings.topic_key,
        rankings.doc_key,
        rankings.rank
    from asked_collection
    inner join {{ ref('int_runs') }} as runs using (collection_key)
    inner join {{ ref('int_rankings') }} as rankings using (collection_key, run_key)
    where list_contains(run_ids, runs.run_id)
    union all
    select
        run_id,
        run_key,
        topic_key,
        doc_key,
        rank
    from query_table(new_rankings)

),

-- one row per run and judged topic that it answers
run_topics as (

    select
        rankings.run_id,
        rankings.run_key,
        rankings.run_key as qrels_key,
        rankings.topic_key,
        count(*) as n_retrieved
    from rankings
    inner join judged_topics using (topic_key)
    group by all

),

-- the highest grade of the collection, which is a relevant one
highest as (

    select greatest(max(collection_judgements.grade), any_value(asked_collection.relevance_level)) as grade
    from asked_collection
    cross join collection_judgements

),

-- the documents of the rankings that are judged, and those that count as relevant: unjudged, above the cutoff
judged_rankings as (

    select
        asked_collection.collection_key,
        rankings.run_key,
        rankings.run_key as qrels_key,
        rankings.topic_key,
        rankings.doc_key,
        rankings.rank,
        case when collection_judgements.is_judged then collection_judgements.grade else highest.grade end as grade,
        collection_judgements.is_judged is not true as is_assumed,
        is_assumed or collection_judgements.grade >= asked_collection.relevance_level as is_relevant
    from rankings
    cross join asked_collection
    cross join highest
    semi join judged_topics using (topic_key)
    left join collection_judgements using (topic_key, doc_key)
    where
        collection_judgements.is_judged
        or rankings.rank <= {{ depth }}

),

-- the qrels of each run: the judgements, and the documents that count as relevant
judgements as (

    select
        collection_judgements.collection_key,
        run_topics.qrels_key,
        run_topics.topic_key,
        collection_judgements.grade,
        collection_judgements.grade >= asked_collection.relevance_level as is_relevant
    from collection_judgements
    cross join asked_collection
    inner join run_topics using (topic_key)
    where collection_judgements.is_judged
    union all
    select
        collection_key,
        qrels_key,
        topic_key,
        grade,
        is_relevant
    from judged_rankings
    where is_assumed

),

-- one row per run and topic, with its number of judged documents
sets as (

    select
        collection_key,
        qrels_key,
        topic_key,
        count(*) as n_judged
    from judgements
    group by all

),

lists as (

    select
        *,
        qrels_key as run_key
    from sets

)
{%- endmacro %}
