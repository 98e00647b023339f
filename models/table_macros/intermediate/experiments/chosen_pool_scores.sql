{{ config(arguments=['collection', 'chosen']) }}
{%- set measures = ['AP', 'P@10', 'RBP(p=0.8)@100', 'RBPResidual(p=0.8)@100'] %}
-- The scores of every run of the collection by the judged documents of a pool of chosen documents alone.

with

{{ judged_choice() }},

-- one row per judged topic of the collection: its number of relevant documents in the pool
topics as (

    select
        judged_topics.topic_key,
        cast(count(*) filter (where judgements.is_relevant) as integer) as n_relevant
    from asked_collection
    inner join {{ ref('int_judged_topics') }} as judged_topics
        on asked_collection.collection_key = judged_topics.collection_key
    left join int_judgements as judgements on judged_topics.topic_key = judgements.topic_key
    group by judged_topics.topic_key

),

-- one row per run and judged topic
lists as (

    select
        runs.run_key,
        topics.topic_key,
        topics.n_relevant
    from asked_collection
    inner join {{ ref('int_runs') }} as runs on asked_collection.collection_key = runs.collection_key
    cross join topics

),

-- the documents of the pool in the rankings, except those that no measure reads
judged_rankings as (

    select
        rankings.run_key,
        rankings.topic_key,
        rankings.rank,
        rankings.is_relevant
    from asked_collection
    inner join {{ ref('int_judged_rankings') }} as rankings
        on asked_collection.collection_key = rankings.collection_key
    inner join int_judgements as judgements
        on
            rankings.topic_key = judgements.topic_key
            and rankings.doc_key = judgements.doc_key
    where
        rankings.is_relevant
        or rankings.rank <= 100

),

-- one row per document, or an empty row for a run without any, with the columns that measures read (rows.sql)
cells as (

    select
        lists.*,
        judged_rankings.rank,
        judged_rankings.is_relevant,
        row_number() over ranking as nth_judged,
        count(*) filter (where judged_rankings.is_relevant) over ranking as nth_relevant
    from lists
    left join judged_rankings
        on
            lists.run_key = judged_rankings.run_key
            and lists.topic_key = judged_rankings.topic_key
    window ranking as (partition by lists.run_key, lists.topic_key order by judged_rankings.rank)

),

-- one row per run and topic, one column per measure
topic_scores as (

    select
        run_key,
        topic_key,
        {{ measure_columns(measures) }}
    from cells
    group by
        run_key,
        topic_key

),

unpivoted as (

    {{ unpivot_measures('topic_scores', measures) }}

),

-- one row per run and measure: means over the judged topics, answered or not
scores as (

    select
        runs.run_id,
        unpivoted.measure,
        avg(unpivoted.score) as score
    from unpivoted
    inner join {{ ref('int_runs') }} as runs on unpivoted.run_key = runs.run_key
    group by
        runs.run_id,
        unpivoted.measure

)

select * from scores
