-- Runs that lack a score, or have too many: each has one for every judgement set and measure on
-- every judged topic that it answers.
with

runs as (

    select * from {{ ref('dim_runs') }}

),

topic_scores as (

    select * from {{ ref('fct_topic_scores') }}

),

scored as (

    select
        collection_id,
        run_id,
        count(*) as n_scores
    from topic_scores
    group by
        collection_id,
        run_id

)

select
    runs.collection_id,
    runs.run_id,
    scored.n_scores
from runs
full join scored
    on
        runs.collection_id = scored.collection_id
        and runs.run_id = scored.run_id
where
    coalesce(scored.n_scores, 0)
    is distinct from runs.n_topics * 3 * {{ var('measures') | length }}
