{{ config(materialized='table', meta={'rule': 'numbering', 'id': 'doc_id', 'key': 'doc_key'}) }}

with

{{ imports('stg_qrels', 'stg_author_judgements') }},

run_lines as (

    select * from {{ ref('stg_run_lines') }}
    where
        {{ is_at_hand() }}
        and {{ is_run_at_hand() }}

),

-- documents that are judged by any author, retrieved, or both
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
    union distinct
    select
        collection_key,
        doc_id
    from author_judgements

),

-- the same rows, each with a key
numbered as (

    select
        collection_key,
        doc_id,
        cast(row_number() over (partition by collection_key order by doc_id) as integer) as doc_key
    from doc_ids

)

select * from numbered
