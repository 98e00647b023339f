with

topic_scores as (

    select * from {{ ref('int_candidate_topic_scores') }}
    where pool_key = 0

),

run_topics as (

    select * from {{ ref('int_run_topics') }}

),

pool_measures as (

    select * from {{ ref('int_pool_measures') }}
    where pool_key = 0

),

top_weights as (

    select * from {{ ref('int_top_weights') }}

),

-- one row per pooled run, level, measure and topic: its true score, its score without the documents that leave
-- with it, and the judged weight then
scored as (

    select
        collection_key,
        run_key,
        level,
        measure,
        topic_key,
        max(score) filter (where judged_by = 'truth') as true_score,
        max(score) filter (where judged_by = 'pool' and unjudged = 'nonrelevant') as unpooled_score,
        max(score + anti_score) filter (where judged_by = 'pool' and unjudged = 'nonrelevant') as judged_weight,
        max(n_judged) filter (where judged_by = 'pool' and unjudged = 'nonrelevant') as n_judged
    from topic_scores
    group by
        collection_key,
        run_key,
        level,
        measure,
        topic_key

),

-- the same rows with the unjudged weight
topics as (

    select
        scored.*,
        {{ residual('top_weights.n_top - scored.n_judged', 'top_weights.weight', 'scored.judged_weight') }}
            as residual
    from scored
    inner join run_topics
        on
            scored.collection_key = run_topics.collection_key
            and scored.run_key = run_topics.run_key
            and scored.topic_key = run_topics.topic_key
    inner join pool_measures on scored.measure = pool_measures.measure
    inner join top_weights
        on
            scored.measure = top_weights.measure
            and top_weights.n_top = least(run_topics.n_retrieved, pool_measures.cutoff)

),

-- one row per pooled run, level and measure, as if all topics were common
deltas as (

    select
        topics.collection_key,
        topics.run_key,
        topics.level,
        topics.measure,
        {{ common_topic_columns('topics') }},
        {{ common_residual_columns('topics') }}
    from topics
    group by
        topics.collection_key,
        topics.run_key,
        topics.level,
        topics.measure

),

-- the same rows with the variance of the deltas that each estimator leaves unexplained
explained as (

    select
        * exclude (common_residual, residual_variance, residual_covariance, has_equal_residuals),
        common_residual as mean_residual,
        {{ ratio_variance() }} as ratio_variance,
        {{ regression_variance() }} as regression_variance
    from deltas

)

select * from explained
