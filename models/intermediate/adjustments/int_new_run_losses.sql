{{ config(materialized='table_macro', arguments=['collection', 'run_table']) }}

with

collections as (

    select * from {{ ref('int_collections') }}

),

rankings as (

    select * from {{ ref('int_new_run_rankings') }}(collection, run_table)
    where is_above_pool_depth

),

lone_contributions as (

    select * from {{ ref('int_lone_contributions') }}
    where
        pool_key = 0
        and level = 'run'
        and other_contributor_key is null

),

pool_runs as (

    select * from {{ ref('int_pool_runs') }}
    where pool_key = 0

),

run_topics as (

    select * from {{ ref('int_run_topics') }}

),

-- whether the new run takes the place of the withdrawn one
variants as (

    select * from (values (true), (false)) as listed (has_substitution)

),

-- one row per pooled run and variant
grid as (

    select
        pool_runs.collection_key,
        pool_runs.run_key,
        variants.has_substitution,
        count(*) as n_topics
    from collections
    inner join pool_runs on collections.collection_key = pool_runs.collection_key
    inner join run_topics on pool_runs.run_key = run_topics.run_key
    cross join variants
    where collections.collection_id = collection
    group by
        pool_runs.collection_key,
        pool_runs.run_key,
        variants.has_substitution

),

-- the relevant documents that a pooled run alone contributed
withdrawn as (

    select
        lone_contributions.collection_key,
        lone_contributions.run_key,
        lone_contributions.rank,
        -- the new run, put in the place of the other, returned the document too: it stays judged
        rankings.rank is not null as is_substituted
    from lone_contributions
    left join rankings
        on
            lone_contributions.collection_key = rankings.collection_key
            and lone_contributions.topic_key = rankings.topic_key
            and lone_contributions.doc_key = rankings.doc_key

),

-- those that are lost; a run that loses none keeps one empty row
lost as (

    select
        grid.collection_key,
        grid.run_key,
        grid.has_substitution,
        grid.n_topics,
        withdrawn.rank,
        withdrawn.rank is not null as is_relevant
    from grid
    left join withdrawn
        on
            grid.collection_key = withdrawn.collection_key
            and grid.run_key = withdrawn.run_key
            and not (grid.has_substitution and withdrawn.is_substituted)

),

-- one row per pooled run and variant, one column per measure: these measures add up over documents, so
-- that the score of the lost documents is the loss; summed over topics
measured as (

    select
        collection_key,
        run_key,
        has_substitution,
        n_topics,
        {{ measure_columns(var('bias_measures')) }}
    from lost
    group by
        collection_key,
        run_key,
        has_substitution,
        n_topics

),

unpivoted as (

    {{ unpivot_measures('measured', var('bias_measures')) }}

),

-- one row per pooled run, variant and measure: the mean over the topics that the withdrawn run answers
losses as (

    select
        collection_key,
        run_key,
        has_substitution,
        measure,
        score / n_topics as loss
    from unpivoted

)

select * from losses
