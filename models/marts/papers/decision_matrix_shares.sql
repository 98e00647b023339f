{{
    config(
        materialized='table_macro',
        arguments=['collection', 'asked'],
        contract={'enforced': false},
    )
}}

with

decisions as (

    select * from {{ ref('decision_matrix') }}(collection, asked)

),

{{ shares_of_cases(['collection_id', 'measure', 'assessment_measure']) }}

select * from shares
