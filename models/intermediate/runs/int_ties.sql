{{ config(materialized='table') }}

with

-- documents that are tied with the document above them
tied_documents as (

    select * from {{ ref('int_rankings') }}
    where
        {{ is_at_hand() }}
        and {{ is_run_at_hand() }}
        and is_tied_above

),

{{ tie_groups() }}

select * from tie_groups
