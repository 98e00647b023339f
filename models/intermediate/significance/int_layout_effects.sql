{#-
    Least squares of score = run + topic. The effects of the topics are means, once the effects of the runs are
    known. The effects of the runs solve as many equations as there are runs, by conjugate gradients (Hestenes and
    Stiefel 1952). The solution is exact after at most one step for each run, and after one step where all runs
    answer all topics (docs/decisions/critical_values.md).
-#}

with recursive

{{ imports(cells='int_layout_cells') }},

-- every cell, with how far its run is above the others on the topics that it answers
started as (

    select
        *,
        avg(above_topic) over (partition by collection_key, layout_key, run_key) as rest
    from (
        select
            *,
            score - avg(score) over (partition by collection_key, layout_key, topic_key) as above_topic
        from cells
    ) as above_topics

),

-- the same cells after each step: the effect of the run so far, the remainder of its equation, and the direction
-- of the next step. The steps also compute the smallest key of the runs that topics connect it with.
stepped as (

    select
        collection_key,
        layout_key,
        run_key,
        topic_key,
        score,
        cast(0 as double) as run_effect,
        cast(rest as double) as rest,
        cast(rest as double) as direction,
        run_key as connected_run_key,
        cast(1 as double) as moved,
        0 as n_steps
    from started
    union all
    select
        collection_key,
        layout_key,
        run_key,
        topic_key,
        score,
        run_effect,
        rest,
        rest + {{ step_length('sum(pow(rest, 2)) over of_layout', 'rest_squares') }} * direction as direction,
        topic_connected_run_key as connected_run_key,
        max(
            greatest(abs(rest), cast(connected_run_key <> topic_connected_run_key as integer))
        ) over of_layout as moved,
        n_steps + 1 as n_steps
    from (
        select
            * replace (
                run_effect + step_length * direction as run_effect,
                rest - step_length * run_shift as rest
            )
        from (
            select
                *,
                avg(shift) over (partition by collection_key, layout_key, run_key) as run_shift,
                {{ step_length('rest_squares', 'sum(direction * shift) over of_changed') }} as step_length
            from (
                select
                    *,
                    direction - avg(direction) over of_topic as shift,
                    sum(pow(rest, 2)) over of_connected as rest_squares,
                    min(run_connected_run_key) over of_topic as topic_connected_run_key
                from (
                    select
                        *,
                        min(connected_run_key) over (partition by collection_key, layout_key, run_key)
                            as run_connected_run_key
                    from stepped
                    where
                        moved > {{ still_moves() }}
                        and n_steps < {{ most_steps() }}
                ) as connected
                window
                    of_connected as (partition by collection_key, layout_key),
                    of_topic as (partition by collection_key, layout_key, topic_key)
            ) as changed
            window of_changed as (partition by collection_key, layout_key)
        ) as measured
    ) as moved_on
    window of_layout as (partition by collection_key, layout_key)

),

-- the cells after the last step of their layout, with the effects of the topic and of the run
settled as (

    select
        *,
        avg(score - run_effect) over (partition by collection_key, layout_key, topic_key) as topic_effect
    from (
        select * from stepped
        qualify n_steps = max(n_steps) over (partition by collection_key, layout_key)
    ) as last_steps

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
        min(min(connected_run_key)) over of_all_runs = max(max(connected_run_key)) over of_all_runs as is_connected,
        {{ comparable_square('sum(pow(score - run_effect - topic_effect, 2))') }} as residual_squares
    from settled
    group by
        collection_key,
        layout_key,
        run_key
    -- the engine (1.5) refuses a name that a step of the recursion has
    window of_all_runs as (partition by collection_key, layout_key)

)

select * from effects
