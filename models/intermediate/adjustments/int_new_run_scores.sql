{{ config(materialized='table_macro', arguments=['collection', 'run_table']) }}

with

rankings as (

    select * from {{ ref('int_new_run_rankings') }}(collection, run_table)
    where rank <= {{ deepest_cutoff() }}

),

-- the rankings as they are judged: by all qrels, and by the pool of the pooled runs alone, on which the
-- estimators work
judged as (

    select
        collection_key,
        topic_key,
        'qrels' as judged_by,
        rank,
        is_relevant
    from rankings
    union all
    select
        collection_key,
        topic_key,
        'pool' as judged_by,
        rank,
        is_relevant_in_pool as is_relevant
    from rankings

),

-- the same rows, the judged documents counted from the top
counted as (

    select
        *,
        count(is_relevant) over (partition by judged_by, topic_key order by rank) as nth_judged
    from judged

),

-- one row per answered topic and judgement, one column per measure
measured as (

    select
        collection_key,
        topic_key,
        judged_by,
        {{ measure_columns(new_run_measures()) }}
    from counted
    group by
        collection_key,
        topic_key,
        judged_by

),

-- one row per answered topic, judgement and measure
topic_scores as (

    {{ unpivot_measures('measured', new_run_measures()) }}

),

-- one row per judgement and measure: the mean over the topics that the run answers
scores as (

    select
        collection_key,
        judged_by,
        measure,
        avg(score) as score,
        cast(count(*) as integer) as n_topics
    from topic_scores
    group by
        collection_key,
        judged_by,
        measure

)

select * from scores
