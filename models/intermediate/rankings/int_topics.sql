{{ config(materialized='by_collection') }}

with

qrels as (

    select * from {{ ref('stg_qrels') }}
    where {{ is_at_hand() }}

),

run_lines as (

    select * from {{ ref('stg_run_lines') }}
    where {{ is_at_hand() }}

),

-- topics that are judged, answered by a run, or both
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

),

numbered as (

    select
        collection_key,
        topic_id,
        cast(row_number() over (partition by collection_key order by topic_id) as integer) as topic_key
    from topic_ids

)

select * from numbered
