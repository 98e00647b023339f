with

{{ imports('int_collections', builds='ops.builds', settings='experiments.settings') }},

named as (

    select
        collections.collection_id,
        settings.experiment,
        settings.n_samples,
        settings.n_topic_samples,
        settings.seed,
        settings.depth,
        settings.widths,
        settings.common_topic_counts,
        settings.budgets,
        settings.strategies,
        settings.finished_at,
        settings.judgements,
        coalesce(settings.fingerprint = builds.fingerprint, false) as is_current
    from settings
    inner join collections using (collection_key)
    left join builds using (collection_key)

)

select * from named
