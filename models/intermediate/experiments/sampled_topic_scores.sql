{{ config(materialized='table_macro', arguments=['collection', 'documents', 'depth']) }}

with

judged_topics as (

    select judged_topics.*
    from {{ ref('int_judged_topics') }} as judged_topics
    inner join {{ ref('int_collections') }} as collections
        on judged_topics.collection_key = collections.collection_key
    where collections.collection_id = collection

),

-- documents of the unpooled run, from any depth
retrieved as (

    select
        sample,
        topic_key,
        unpooled_rank,
        n_contributors > 0 as is_judged,
        is_relevant
    from query_table(documents)
    where unpooled_rank is not null

),

-- what each score is made from. `true`: the whole top, judged by the qrels, as if the run were pooled too.
viewed as (

    select
        sample,
        topic_key,
        'true' as view,
        unpooled_rank as rank,
        is_relevant
    from retrieved
    union all
    -- what the pool has not judged does not count
    select
        sample,
        topic_key,
        'nonrelevant' as view,
        unpooled_rank as rank,
        is_relevant
    from retrieved
    where is_judged
    union all
    -- what the pool has not judged is left out, and judged documents from further down move up
    select
        sample,
        topic_key,
        'condensed' as view,
        row_number() over (partition by sample, topic_key order by unpooled_rank) as rank,
        is_relevant
    from retrieved
    where is_judged

),

samples as (

    select distinct sample from query_table(documents)

),

-- the grid: one row per sample, judged topic and view
grid as (

    select
        samples.sample,
        judged_topics.topic_key,
        listed.view
    from samples
    cross join judged_topics
    cross join (values ('true'), ('nonrelevant'), ('condensed')) as listed (view)

),

-- the relevant documents of each cell; a cell without any keeps one empty row
cells as (

    select
        grid.*,
        viewed.rank,
        viewed.is_relevant
    from grid
    left join viewed
        on
            grid.sample = viewed.sample
            and grid.topic_key = viewed.topic_key
            and grid.view = viewed.view
            and viewed.rank <= depth
            and viewed.is_relevant

),

-- one row per sample, topic and view, one column per measure
measured as (

    select
        sample,
        topic_key,
        view,
        {{ experiment_measure_columns('depth') }}
    from cells
    group by
        sample,
        topic_key,
        view

),

-- one row per sample, topic, view and measure
unpivoted as (

    {{ unpivot_measures('measured', var('experiment_measures')) }}

),

-- one row per sample, topic, treatment of unjudged documents and measure
scores as (

    select
        unpooled.sample,
        unpooled.topic_key,
        unpooled.view as unjudged,
        concat(unpooled.measure, '@', depth) as measure,
        reference.score as true_score,
        unpooled.score as unpooled_score
    from unpivoted as unpooled
    inner join unpivoted as reference
        on
            unpooled.sample = reference.sample
            and unpooled.topic_key = reference.topic_key
            and unpooled.measure = reference.measure
    where
        unpooled.view <> 'true'
        and reference.view = 'true'

)

select * from scores
