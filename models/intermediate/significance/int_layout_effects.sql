{{ config(materialized='table', meta={'rule': 'by_pool'}) }}

with recursive

cells as (

    select * from {{ ref('int_layout_cells') }}
    where {{ is_at_hand() }}

),

-- the sweeps: one row per cell, with what is left of its score. The runs' means are taken away, then the topics', until
-- nothing moves. What is left are the residuals of score = run + topic by least squares, what was taken away for a run
-- is its effect. Where all runs answer all topics one sweep is enough
swept as (

    select
        collection_key,
        layout_key,
        run_key,
        topic_key,
        score,
        cast(score as double) as residual,
        cast(0 as double) as run_effect,
        run_key as connected_run_key,
        cast(1 as double) as moved,
        0 as n_sweeps
    from cells
    union all
    select
        collection_key,
        layout_key,
        run_key,
        topic_key,
        score,
        residual - topic_mean as residual,
        run_effect + run_mean as run_effect,
        topic_connected_run_key as connected_run_key,
        max(
            greatest(
                abs(run_mean), abs(topic_mean), cast(connected_run_key <> topic_connected_run_key as integer)
            )
        ) over (partition by collection_key, layout_key) as moved,
        n_sweeps + 1 as n_sweeps
    from (
        select
            * replace (residual - run_mean as residual),
            avg(residual - run_mean) over (partition by collection_key, layout_key, topic_key) as topic_mean,
            min(run_connected_run_key) over (partition by collection_key, layout_key, topic_key)
                as topic_connected_run_key
        from (
            select
                *,
                avg(residual) over (partition by collection_key, layout_key, run_key) as run_mean,
                min(connected_run_key) over (partition by collection_key, layout_key, run_key)
                    as run_connected_run_key
            from swept
            where
                moved > {{ still_moves() }}
                and n_sweeps < {{ most_sweeps() }}
        ) as without_run_means
    ) as without_means

),

-- the cells after the last sweep of their layout
settled as (

    select * from swept
    qualify n_sweeps = max(n_sweeps) over (partition by collection_key, layout_key)

),

-- one row per layout and run; all runs of a layout are connected where all have the same smallest key
effects as (

    select
        collection_key,
        layout_key,
        run_key,
        cast(count(*) as integer) as n_topics,
        avg(score) as score,
        {{ signed('any_value(run_effect)') }} as run_effect,
        min(min(connected_run_key)) over of_layout = max(max(connected_run_key)) over of_layout as is_connected,
        {{ comparable_square('sum(pow(residual, 2))') }} as residual_squares
    from settled
    group by
        collection_key,
        layout_key,
        run_key
    window of_layout as (partition by collection_key, layout_key)

)

select * from effects
