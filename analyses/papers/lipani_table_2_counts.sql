-- question: How often is each estimator best in that table?
-- about: papers
--
-- The last lines of Table 2 in Lipani et al. 2015, counted again from the
-- published figures: a row per quantity and estimator. They count how often an
-- estimator is better than both others, and how often it is worse than both;
-- ties do not count. The track Ad Hoc 6 repeats the figures of Robust 2005,
-- and the published counts include both. The rows do not depend on the loaded
-- collections.
with

{{ imports(
    published='published_lipani_2015_table_2', tracks='published_lipani_2015_tracks',
    published_counts='published_lipani_2015_table_2_counts'
) }},

quantities as (

    select * from (values ('mae'), ('sre'), ('sre_star')) as listed (quantity)

),

-- one row per published figure: track, measure, estimator and quantity
figures as (

    select
        published.track,
        published.measure,
        published.estimator,
        quantities.quantity,
        case quantities.quantity
            when 'mae' then published.mae
            when 'sre' then published.sre
            else published.sre_star
        end as figure
    from published
    cross join quantities

),

-- the same rows: whether the figure alone is the lowest of its cell, and whether it alone is the highest of its
-- cell
placed as (

    select
        figures.quantity,
        figures.estimator,
        tracks.repeats_track is not null as is_repeated,
        figures.figure = min(figures.figure) over cell and count(*) over same_figures = 1 as is_best,
        figures.figure = max(figures.figure) over cell and count(*) over same_figures = 1 as is_worst
    from figures
    inner join tracks on figures.track = tracks.track
    window
        cell as (partition by figures.track, figures.measure, figures.quantity),
        same_figures as (partition by figures.track, figures.measure, figures.quantity, figures.figure)

),

-- one row per quantity and estimator
counts as (

    select
        quantity,
        estimator,
        cast(count(*) as integer) as n_cells,
        cast(count(*) filter (where is_best) as integer) as n_best,
        cast(count(*) filter (where is_worst) as integer) as n_worst,
        cast(count(*) filter (where not is_repeated) as integer) as n_cells_not_repeated,
        cast(count(*) filter (where is_best and not is_repeated) as integer) as n_best_not_repeated,
        cast(count(*) filter (where is_worst and not is_repeated) as integer) as n_worst_not_repeated
    from placed
    group by all

),

-- the same rows with the last lines of the table
compared as (

    select
        counts.*,
        published_counts.n_best as published_n_best,
        published_counts.n_worst as published_n_worst
    from counts
    inner join published_counts
        on
            counts.quantity = published_counts.quantity
            and counts.estimator = published_counts.estimator

)

select * from compared
