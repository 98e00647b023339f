{{ config(materialized='table', meta={'rule': 'by_pool'}) }}

with

{{ imports('int_left_out') }},

judgements as (

    select * from {{ ref('int_judgements') }}
    where
        {{ is_at_hand() }}
        and grade > 0

),

pool_documents as (

    select * from {{ ref('int_pool_documents') }}
    where
        {{ is_at_hand() }}
        and pool_key = 0

),

-- documents with a gain, and their sole contributors
gainful as (

    select
        judgements.collection_key,
        judgements.topic_key,
        judgements.doc_key,
        judgements.grade,
        judgements.is_relevant,
        {{ sole_columns('pool_documents') }}
    from judgements
    left join pool_documents
        on
            judgements.collection_key = pool_documents.collection_key
            and judgements.topic_key = pool_documents.topic_key
            and judgements.doc_key = pool_documents.doc_key

),

-- for each run or organization whose leaving loses a document, the documents that stay, highest grade first
ideal as (

    select
        gainful.collection_key,
        gainful.topic_key,
        left_out.left_out_run_key,
        left_out.left_out_organization_key,
        left_out.left_out_relevant_organization_key,
        gainful.grade,
        gainful.is_relevant,
        cast(
            row_number() over (
                partition by
                    gainful.collection_key,
                    gainful.topic_key,
                    left_out.left_out_run_key,
                    left_out.left_out_organization_key,
                    left_out.left_out_relevant_organization_key
                order by gainful.grade desc
            ) as integer
        ) as rank
    from gainful
    inner join left_out
        on
            gainful.collection_key = left_out.collection_key
            and gainful.topic_key = left_out.topic_key
            and {{ stays_without('gainful', 'left_out') }}

),

-- the same rows with the gain down to each rank
cumulated as (

    select
        *,
        -- a sum of integers has 128 bits, which are slow to read
        cast(sum(grade) over ideal_ranking as bigint) as gain_so_far,
        sum({{ discounted_gain('rank', 'grade') }}) over ideal_ranking as discounted_gain_so_far
    from ideal
    window
        ideal_ranking as (
            partition by
                collection_key,
                topic_key,
                left_out_run_key,
                left_out_organization_key,
                left_out_relevant_organization_key
            order by rank
        )

)

select * from cumulated
