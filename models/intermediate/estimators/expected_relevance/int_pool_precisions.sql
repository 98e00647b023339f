with

pool_documents as (

    select * from {{ ref('int_pool_documents') }}
    where
        {{ is_at_hand() }}
        and is_relevant is not null

),

-- one row per pool: the share of relevant documents among those that several organizations contributed, and among
-- those that exactly two contributed, so that each is rare to the other
precisions as (

    select
        collection_key,
        pool_key,
        avg(cast(is_relevant as integer)) filter (where n_organizations > 1) as precision,
        avg(cast(is_relevant as integer)) filter (where n_organizations = 2) as rare_precision
    from pool_documents
    group by all

)

select * from precisions
