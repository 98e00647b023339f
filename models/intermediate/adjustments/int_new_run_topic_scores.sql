{{ config(materialized='table_macro', arguments=['collection', 'run_table', 'common_table']) }}

with

judged as (

    select * from {{ ref('int_new_run_judgements') }}(collection, run_table, common_table)

),

-- what each score is made from: `nonrelevant`, documents that the qrels do not judge are not relevant;
-- `condensed`, they have no rank, and what is below moves up; `true`, on the common topics, nothing is
-- left open
viewed as (

    select
        topic_key,
        'nonrelevant' as scored_as,
        rank,
        is_relevant
    from judged
    union all
    select
        topic_key,
        'condensed' as scored_as,
        case
            when is_relevant is not null
                then count(is_relevant) over (partition by topic_key order by rank)
        end as rank,
        is_relevant
    from judged
    union all
    select
        topic_key,
        'true' as scored_as,
        rank,
        is_relevant_by_both as is_relevant
    from judged
    where is_common

),

-- one row per answered topic and kind of score, one column per measure
measured as (

    select
        topic_key,
        scored_as,
        {{ measure_columns(var('bias_measures')) }}
    from viewed
    group by
        topic_key,
        scored_as

),

-- one row per answered topic, kind of score and measure
unpivoted as (

    {{ unpivot_measures('measured', var('bias_measures')) }}

),

-- one row per answered topic, treatment of unjudged documents and measure; the true score is that of a
-- common topic, and null in others
scores as (

    select
        unpooled.topic_key,
        unpooled.scored_as as unjudged,
        unpooled.measure,
        unpooled.score as unpooled_score,
        reference.score as true_score
    from unpivoted as unpooled
    left join unpivoted as reference
        on
            unpooled.topic_key = reference.topic_key
            and unpooled.measure = reference.measure
            and reference.scored_as = 'true'
    where unpooled.scored_as <> 'true'

)

select * from scores
