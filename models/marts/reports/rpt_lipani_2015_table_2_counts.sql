with

published as {{ named_twice() }} (

    select * from {{ ref('published_lipani_2015_table_2') }}

),

tracks as (

    select * from {{ ref('published_lipani_2015_tracks') }}

),

published_counts as (

    select * from {{ ref('published_lipani_2015_table_2_counts') }}

),

-- one row per published figure: track, measure, estimator and which of the three quantities it is
figures as {{ named_twice() }} (

    {% for quantity in ['mae', 'sre', 'sre_star'] %}
        select
            track,
            measure,
            estimator,
            '{{ quantity }}' as quantity,
            cast({{ quantity }} as double) as figure
        from published
        {{ 'union all' if not loop.last }}
    {% endfor %}

),

-- the same rows: whether the figure is lower than both others of its cell, and whether it is higher
placed as (

    select
        this.quantity,
        this.estimator,
        bool_and(this.figure < other.figure) as is_best,
        bool_and(this.figure > other.figure) as is_worst,
        bool_or(tracks.repeats_track is not null) as is_repeated
    from figures as this
    inner join figures as other
        on
            this.track = other.track
            and this.measure = other.measure
            and this.quantity = other.quantity
            and this.estimator <> other.estimator
    inner join tracks on this.track = tracks.track
    group by
        this.quantity,
        this.estimator,
        this.track,
        this.measure

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
    group by
        quantity,
        estimator

),

-- the same rows beside the last lines of the table
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
