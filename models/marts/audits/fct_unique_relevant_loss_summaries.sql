with

losses as (

    select * from {{ ref('fct_unique_relevant_losses') }}
    where
        is_pooled
        and loss_in_percent_of_full_score is not null

),

groups as (

    select * from (values ('all'), ('run_type')) as listed (grouped_by)

),

-- the same rows, once among all runs and once among the runs of the same type
grouped as (

    select
        losses.* replace (case groups.grouped_by when 'run_type' then losses.run_type end as run_type),
        groups.grouped_by
    from losses
    cross join groups

),

-- one row per collection, treatment, measure and group of runs
summaries as (

    select
        collection_id,
        unjudged,
        measure,
        grouped_by,
        run_type,
        {{ summary_of_losses('', 'true') }},
        {{ summary_of_losses('_above_floor', 'is_above_floor') }},
        cast(count(*) filter (where is_flagged) as integer) as n_flagged_runs
    from grouped
    group by all

)

select * from summaries
