with

{{ imports(cells='int_layout_cells', effects='int_layout_effects') }},

-- every cell with the means of its row, its column and its layout
with_means as (

    select
        collection_key,
        layout_key,
        run_key,
        topic_key,
        score,
        avg(score) over (partition by collection_key, layout_key, run_key) as run_mean,
        avg(score) over (partition by collection_key, layout_key, topic_key) as topic_mean,
        avg(score) over (partition by collection_key, layout_key) as overall_mean
    from cells

),

-- one row per layout: sums of squares around each of these means
about_means as (

    select
        collection_key,
        layout_key,
        cast(count(distinct run_key) as integer) as n_runs,
        cast(count(distinct topic_key) as integer) as n_topics,
        cast(count(*) as integer) as n_cells,
        sum(pow(score - overall_mean, 2)) as overall_squares,
        sum(pow(score - run_mean, 2)) as within_runs_squares,
        sum(pow(score - topic_mean, 2)) as within_topics_squares
    from with_means
    group by all

),

-- one row per layout whose runs are all connected by topics: the sum of squares that runs and topics together do
-- not explain
residuals as (

    select
        collection_key,
        layout_key,
        sum(residual_squares) as residual_squares
    from effects
    group by all
    having bool_and(is_connected)

),

-- one row per layout and analysis: the remaining squares without the runs, without the topics, and with both
listed as (

    select
        about_means.collection_key,
        about_means.layout_key,
        'one_way' as analysis,
        about_means.n_runs,
        about_means.n_topics,
        about_means.n_cells,
        about_means.n_cells - about_means.n_runs as error_degrees_of_freedom,
        about_means.overall_squares as squares_without_runs,
        cast(null as double) as squares_without_topics,
        about_means.within_runs_squares as error_squares
    from about_means
    union all
    select
        about_means.collection_key,
        about_means.layout_key,
        'two_way' as analysis,
        about_means.n_runs,
        about_means.n_topics,
        about_means.n_cells,
        about_means.n_cells - about_means.n_runs - about_means.n_topics + 1 as error_degrees_of_freedom,
        about_means.within_topics_squares as squares_without_runs,
        about_means.within_runs_squares as squares_without_topics,
        residuals.residual_squares as error_squares
    from about_means
    inner join residuals using (collection_key, layout_key)

),

-- the same rows that leave an error to compare with: at least two runs, and at least one cell more than effects
analyses as (

    select
        collection_key,
        layout_key,
        analysis,
        n_runs,
        n_topics,
        n_cells,
        error_degrees_of_freedom,
        error_squares / error_degrees_of_freedom as error_mean_square,
        (squares_without_runs - error_squares) / (n_runs - 1) as runs_mean_square,
        (squares_without_topics - error_squares) / (n_topics - 1) as topics_mean_square
    from listed
    where
        n_runs > 1
        and error_degrees_of_freedom > 0

)

select * from analyses
