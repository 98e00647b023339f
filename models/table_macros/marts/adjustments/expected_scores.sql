{{ config(arguments=['collection', 'asked']) }}

select * from {{ ref('int_asked_expected_scores') }}(collection, asked, is_required := true)
