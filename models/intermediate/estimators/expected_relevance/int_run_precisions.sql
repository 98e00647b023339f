with

{{ imports(counts='int_precision_counts', runs='int_run_counts', priors='int_precision_priors') }},

-- one row per pool and run: its precision among its rare documents, which are most like the documents that nobody else
-- contributed, with the share of all such documents of the pool as the prior
rare as (

    select
        runs.collection_key,
        runs.pool_key,
        runs.run_key,
        runs.precision,
        priors.n_topic_prior,
        {{ share_with_prior(
            'runs.n_rare_relevant', 'runs.n_rare', 'runs.rare_precision_of_pool', 'priors.n_rare_prior'
        ) }} as rare_precision
    from runs
    inner join priors using (collection_key, pool_key, organization_key)

),

-- one row per pool, run and topic: its precision on the topic, with its precision on all topics as the prior, and the
-- share of its documents that are judged because of others
precisions as (

    select
        counts.collection_key,
        counts.pool_key,
        counts.run_key,
        counts.topic_key,
        rare.rare_precision,
        {{ share_with_prior('counts.n_relevant', 'counts.n_judged', 'rare.precision', 'rare.n_topic_prior') }}
            as topic_precision,
        coalesce(counts.n_staying / nullif(counts.n_contributed, 0), 0) as overlap
    from counts
    inner join rare using (collection_key, pool_key, run_key)

)

select * from precisions
