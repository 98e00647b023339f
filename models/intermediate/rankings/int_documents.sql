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

-- documents that are judged, retrieved, or both
doc_ids as (

    select
        collection_key,
        doc_id
    from qrels
    union distinct
    select
        collection_key,
        doc_id
    from run_lines

),

-- keys in byte order of the ids, so that trec_eval's tie rule compares integers
numbered as (

    select
        collection_key,
        doc_id,
        cast(row_number() over (partition by collection_key order by doc_id) as integer) as doc_key
    from doc_ids

)

select * from numbered
