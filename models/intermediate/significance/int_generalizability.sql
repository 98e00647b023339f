{{ config(materialized='table') }}

with

{{ imports('int_pooled_runs', 'int_topic_counts', measures="int_pool_measures where subset = 'all'") }},

-- the scores with all qrels on the topics that a run answers
topic_scores as (

    select * from {{ ref('int_topic_scores') }}
    where
        {{ is_at_hand() }}
        and unjudged = 'nonrelevant'
        and is_answered

),

-- one row per pooled run that answers all of them, topic and measure
cells as (

    select
        topic_scores.collection_key,
        topic_scores.measure,
        topic_scores.run_key,
        topic_scores.topic_key,
        topic_scores.score
    from topic_scores
    inner join pooled_runs using (run_key)
    inner join measures using (measure)
    inner join topic_counts on topic_scores.collection_key = topic_counts.collection_key
    qualify
        count(*) over (partition by topic_scores.run_key, topic_scores.measure) = topic_counts.n_judged_topics

),

-- the same rows with the means of their run, of their topic, and of all rows of the measure
means as (

    select
        *,
        avg(score) over (partition by collection_key, measure, run_key) as run_mean,
        avg(score) over (partition by collection_key, measure, topic_key) as topic_mean,
        avg(score) over (partition by collection_key, measure) as grand_mean
    from cells

),

-- one row per collection and measure. No cell is missing, so that the squares add up without least squares.
squares as (

    select
        collection_key,
        measure,
        cast(count(distinct run_key) as integer) as n_runs,
        cast(count(distinct topic_key) as integer) as n_topics,
        sum(pow(run_mean - grand_mean, 2)) as runs_square,
        sum(pow(topic_mean - grand_mean, 2)) as topics_square,
        sum(pow(score - run_mean - topic_mean + grand_mean, 2)) as error_square
    from means
    group by all

),

analyses as (

    select
        collection_key,
        measure,
        n_runs,
        n_topics,
        runs_square / (n_runs - 1) as runs_mean_square,
        topics_square / (n_topics - 1) as topics_mean_square,
        error_square / ((n_runs - 1) * (n_topics - 1)) as error_mean_square
    from squares
    where
        n_runs > 1
        and n_topics > 1

),

-- the same rows with the contributions of runs, topics and residual to the variance of a score
components as (

    select
        collection_key,
        measure,
        n_runs,
        n_topics,
        {{ variance_component('runs_mean_square', 'error_mean_square', 'n_topics') }} as run_variance,
        {{ variance_component('topics_mean_square', 'error_mean_square', 'n_runs') }} as topic_variance,
        {{ comparable_square('error_mean_square') }} as residual_variance
    from analyses

),

coefficients as (

    select
        *,
        {{ generalizability('run_variance', 'residual_variance', 'n_topics') }} as generalizability,
        {{ dependability('run_variance', 'topic_variance', 'residual_variance', 'n_topics') }} as dependability
    from components

)

select * from coefficients
