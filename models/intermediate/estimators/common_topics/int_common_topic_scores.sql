with

{{ imports('int_common_topics', 'int_run_topics', 'int_top_weights') }},

candidate_scores as (

    select * from {{ ref('int_common_candidate_scores') }}
    where judged_by = 'pool'

),

pool_measures as (

    select * from {{ ref('int_pool_measures') }}
    where pool_key = 0

),

-- the scores with the qrels, and the number of top documents that the qrels do not judge
unpooled_scores as (

    select
        candidate_scores.*,
        least(run_topics.n_retrieved, pool_measures.cutoff) as n_top,
        least(run_topics.n_retrieved, pool_measures.cutoff) - any_value(candidate_scores.n_judged) filter (
            where candidate_scores.unjudged = 'nonrelevant'
        ) over (
            partition by candidate_scores.run_key, candidate_scores.topic_key, candidate_scores.measure
        ) as n_unjudged
    from candidate_scores
    inner join run_topics
        on
            candidate_scores.collection_key = run_topics.collection_key
            and candidate_scores.run_key = run_topics.run_key
            and candidate_scores.topic_key = run_topics.topic_key
    inner join pool_measures on candidate_scores.measure = pool_measures.measure
    where candidate_scores.pool_key = {{ qrels_pool_key() }}

),

-- the scores on the common topics, with both judgements
true_scores as (

    select
        candidate_scores.*,
        least(run_topics.n_retrieved, pool_measures.cutoff) - candidate_scores.n_judged as n_unjudged
    from candidate_scores
    inner join common_topics
        on
            candidate_scores.collection_key = common_topics.collection_key
            and candidate_scores.run_key = common_topics.run_key
            and candidate_scores.topic_key = common_topics.topic_key
    inner join run_topics
        on
            candidate_scores.collection_key = run_topics.collection_key
            and candidate_scores.run_key = run_topics.run_key
            and candidate_scores.topic_key = run_topics.topic_key
    inner join pool_measures on candidate_scores.measure = pool_measures.measure
    where
        candidate_scores.pool_key = {{ common_pool_key('candidate_scores.run_key') }}
        and candidate_scores.unjudged = 'nonrelevant'

),

-- one row per run, topic that it answers, treatment and measure; the true score is null on topics that are not
-- common
scores as (

    select
        unpooled_scores.collection_key,
        unpooled_scores.pool_key,
        unpooled_scores.run_key,
        unpooled_scores.topic_key,
        unpooled_scores.unjudged,
        unpooled_scores.measure,
        unpooled_scores.score as unpooled_score,
        true_scores.score as true_score,
        cast(unpooled_scores.n_unjudged as integer) as n_unjudged,
        case
            when unpooled_scores.unjudged = 'nonrelevant' then
                {{ residual(
                    'unpooled_scores.n_unjudged', 'top_weights.weight',
                    'unpooled_scores.score + unpooled_scores.anti_score'
                ) }}
        end as residual,
        cast(true_scores.n_unjudged as integer) as n_common_unjudged
    from unpooled_scores
    inner join top_weights
        on
            unpooled_scores.measure = top_weights.measure
            and unpooled_scores.n_top = top_weights.n_top
    left join true_scores
        on
            unpooled_scores.run_key = true_scores.run_key
            and unpooled_scores.topic_key = true_scores.topic_key
            and unpooled_scores.measure = true_scores.measure

)

select * from scores
