with

{{ imports(counts='int_precision_counts') }},

pool_documents as (

    select * from {{ ref('int_pool_documents') }}
    where
        {{ is_at_hand() }}
        and is_relevant is not null

),

-- one row per pool: the share of relevant documents among those that several organizations contributed, and among
-- those that exactly two contributed, so that each is rare to the other
pool_precisions as (

    select
        collection_key,
        pool_key,
        coalesce(avg(cast(is_relevant as integer)) filter (where n_organizations > 1), 0) as precision,
        coalesce(avg(cast(is_relevant as integer)) filter (where n_organizations = 2), 0) as rare_precision
    from pool_documents
    group by all

),

-- one row per pool and run: its rare documents, the share of relevant ones among those of the pool, and its precision,
-- with the precision of the pool as the prior
runs as (

    select
        counts.collection_key,
        counts.pool_key,
        counts.run_key,
        counts.organization_key,
        counts.is_member,
        sum(counts.n_rare) as n_rare,
        sum(counts.n_rare_relevant) as n_rare_relevant,
        any_value(pool_precisions.rare_precision) as rare_precision_of_pool,
        {{ share_with_prior(
            'sum(counts.n_relevant)', 'sum(counts.n_judged)', 'any_value(pool_precisions.precision)',
            documents_of_the_prior()
        ) }} as precision
    from counts
    inner join pool_precisions using (collection_key, pool_key)
    group by all

)

select * from runs
