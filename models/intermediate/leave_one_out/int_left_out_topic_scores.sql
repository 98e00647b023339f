{{ config(materialized='table', meta={'rule': 'by_pool'}) }}

with

pool_runs as (

    select * from {{ ref('int_pool_runs') }}
    where {{ is_at_hand() }}

),

pool_rankings as (

    select * from {{ ref('int_pool_rankings') }}
    where {{ is_at_hand() }}

),

run_topics as (

    select * from {{ ref('int_run_topics') }}
    where {{ is_at_hand() }}

),

levels as (

    select * from (values ('run'), ('organization')) as listed (level)

),

-- whose contributions count: `unpooled`, those of the others; `reference`, the run's own as well
views as (

    select * from (values ('unpooled'), ('reference')) as listed (pool_view)

),

-- the grid: one row per pool, run, answered topic, level and view
grid as (

    select
        pool_runs.collection_key,
        pool_runs.pool_key,
        pool_runs.run_key,
        run_topics.topic_key,
        levels.level,
        views.pool_view
    from pool_runs
    inner join run_topics on pool_runs.run_key = run_topics.run_key
    cross join levels
    cross join views

),

-- the documents of each cell that count as judged; a cell without any keeps one empty row
judged as (

    select
        grid.*,
        pool_rankings.rank,
        pool_rankings.is_relevant
    from grid
    left join pool_rankings
        on
            grid.collection_key = pool_rankings.collection_key
            and grid.pool_key = pool_rankings.pool_key
            and grid.run_key = pool_rankings.run_key
            and grid.topic_key = pool_rankings.topic_key
            and (
                case grid.level
                    when 'run'
                        then {{ stays_judged('pool_rankings.sole_run_key', 'pool_rankings.run_key') }}
                    else {{ stays_judged('pool_rankings.sole_organization_key', 'pool_rankings.organization_key') }}
                end
                -- at level run the reference is the whole pool: what the run alone contributed is
                -- the only thing that its leaving takes away
                or (grid.pool_view = 'reference' and pool_rankings.is_own_contribution)
            )

),

-- one row per cell, one column per measure
measured as (

    select
        collection_key,
        pool_key,
        run_key,
        topic_key,
        level,
        pool_view,
        {{ measure_columns(left_out_measures()) }}
    from judged
    group by
        collection_key,
        pool_key,
        run_key,
        topic_key,
        level,
        pool_view

),

-- one row per cell and measure
scores as (

    {{ unpivot_measures('measured', left_out_measures()) }}

)

select * from scores
