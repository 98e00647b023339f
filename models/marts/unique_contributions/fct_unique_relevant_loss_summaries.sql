with

losses as (

    select * from {{ ref('fct_unique_relevant_losses') }}
    where
        is_pooled
        and loss_in_percent_of_full_score is not null

),

-- one row per collection, treatment, measure and group of runs: all pooled ones, and those of a type
summaries as (

    select
        collection_id,
        unjudged,
        measure,
        case grouping(run_type) when 0 then 'run_type' else 'all' end as grouped_by,
        run_type,
        {% for suffix, runs in [('', 'true'), ('_above_floor', 'is_above_floor')] -%}
        cast(count(*) filter (where {{ runs }}) as integer) as n_runs{{ suffix }},
        avg(loss_in_percent_of_full_score) filter (where {{ runs }})
            as mean_loss_in_percent_of_full_score{{ suffix }},
        max(loss_in_percent_of_full_score) filter (where {{ runs }})
            as largest_loss_in_percent_of_full_score{{ suffix }},
        -- of runs that lose the same, the first by its id
        arg_min(run_id, row(-{{ comparable('loss_in_percent_of_full_score') }}, run_id)) filter (where {{ runs }})
            as largest_loss_run_id{{ suffix }},
        {% endfor -%}
        cast(count(*) filter (where is_flagged) as integer) as n_flagged_runs
    from losses
    group by
        grouping sets (
            (collection_id, unjudged, measure),
            (collection_id, unjudged, measure, run_type)
        )

)

select * from summaries
