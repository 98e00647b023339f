{{ config(materialized='table', meta={'rule': 'numbering', 'id': 'topic_id', 'key': 'topic_key'}) }}

with

{{ imports('stg_qrels', titles='raw.topics') }},

run_lines as (

    select * from {{ ref('stg_run_lines') }}
    where
        {{ is_at_hand() }}
        and {{ is_run_at_hand() }}

),

-- topics that are judged, answered by a run, or titled
topic_ids as (

    select
        collection_key,
        topic_id
    from qrels
    union distinct
    select
        collection_key,
        topic_id
    from run_lines
    union distinct
    select
        collection_key,
        query as topic_id
    from titles

),

numbered as (

    select
        topic_ids.collection_key,
        topic_ids.topic_id,
        cast(
            row_number() over (partition by topic_ids.collection_key order by topic_ids.topic_id) as integer
        ) as topic_key,
        titles.title
    from topic_ids
    left join titles
        on
            topic_ids.collection_key = titles.collection_key
            and topic_ids.topic_id = titles.query

)

select * from numbered
