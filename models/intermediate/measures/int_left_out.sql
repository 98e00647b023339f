with

judgement_sets as (

    select * from {{ ref('int_judgement_sets') }}

),

-- each thing once, nothing among them
left_out as (

    select distinct
        collection_key,
        left_out_run_key,
        left_out_organization_key
    from judgement_sets

)

select * from left_out
