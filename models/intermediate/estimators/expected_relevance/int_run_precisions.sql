with

{{ imports('int_other_contributors') }},

pool_documents as (

    select * from {{ ref('int_pool_documents') }}
    where
        {{ is_at_hand() }}
        and is_relevant is not null

),

-- one row per pool: the share of relevant documents among those that several organizations contributed, and among
-- those that exactly two contributed, so that each is rare to the other. They are the priors of the runs.
pool_precisions as (

    select
        collection_key,
        pool_key,
        avg(cast(is_relevant as integer)) filter (where n_organizations > 1) as precision,
        avg(cast(is_relevant as integer)) filter (where n_organizations = 2) as rare_precision
    from pool_documents
    group by all

),

-- one row per pool, run and topic: the documents that the run contributed, as the judgements without its
-- organization see them
counted as (

    select
        collection_key,
        pool_key,
        run_key,
        topic_key,
        count(*) filter (where stays_judged) as n_judged,
        count(*) filter (where stays_judged and is_relevant) as n_relevant,
        count(*) filter (where stays_judged and n_others = 1) as n_rare,
        count(*) filter (where stays_judged and n_others = 1 and is_relevant) as n_rare_relevant
    from other_contributors
    group by all

),

-- one row per pool and run: its precision, and its precision among documents that exactly one other organization
-- contributed. These are the documents most like those that nobody else did.
runs as (

    select
        counted.collection_key,
        counted.pool_key,
        counted.run_key,
        {{ share_with_prior(
            'sum(counted.n_relevant)', 'sum(counted.n_judged)', 'coalesce(any_value(pool_precisions.precision), 0)'
        ) }} as precision,
        {{ share_with_prior(
            'sum(counted.n_rare_relevant)', 'sum(counted.n_rare)',
            'coalesce(any_value(pool_precisions.rare_precision), 0)'
        ) }} as rare_precision
    from counted
    inner join pool_precisions using (collection_key, pool_key)
    group by all

),

-- one row per pool, run and topic: its precision on the topic, with its precision on all topics as the prior
precisions as (

    select
        counted.collection_key,
        counted.pool_key,
        counted.run_key,
        counted.topic_key,
        runs.rare_precision,
        {{ share_with_prior('counted.n_relevant', 'counted.n_judged', 'runs.precision') }} as topic_precision
    from counted
    inner join runs using (collection_key, pool_key, run_key)

)

select * from precisions
