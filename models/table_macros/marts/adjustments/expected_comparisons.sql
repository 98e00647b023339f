{{ config(arguments=['collection', 'asked']) }}

with

pairs as (

    select * from {{ ref('int_asked_expected_pairs') }}(collection, asked, true)

),

named as (

    select
        collection as collection_id,
        asked as measure,
        *
    from pairs

)

select * from named
