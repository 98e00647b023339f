with

{{ imports(
    'int_common_topics', 'int_run_topics', 'int_top_weights', 'int_pool_measures where pool_key = 0',
    candidate_scores="int_common_candidate_scores where judged_by = 'pool'"
) }},

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
    inner join run_topics using (collection_key, run_key, topic_key)
    inner join pool_measures using (measure)
    where candidate_scores.pool_key = {{ qrels_pool_key() }}

),

-- the scores on the common topics, with both judgements
true_scores as (

    select
        candidate_scores.*,
        least(run_topics.n_retrieved, pool_measures.cutoff) - candidate_scores.n_judged as n_unjudged
    from candidate_scores
    inner join common_topics using (collection_key, run_key, topic_key)
    inner join run_topics using (collection_key, run_key, topic_key)
    inner join pool_measures using (measure)
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
    inner join top_weights using (measure, n_top)
    left join true_scores using (run_key, topic_key, measure)

)

select * from scores
