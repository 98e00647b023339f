{{ config(arguments=['collection', 'drawn', 'ranked', 'depth']) }}
-- The scores of the unpooled run of each sample, topic by topic: with the contributions of the run and the pool,
-- and with those of the pool without the run.

with

{{ sampled_pools() }},

{{ step(
    'int_pool_rankings', relations_of_pools(), instead={'int_pool_runs': 'int_candidates'},
    called='int_candidate_rankings'
) }},

{{ steps(['int_candidate_topic_scores'], relations_of_pools() + ['int_candidate_rankings']) }},

-- one row per sample, topic, treatment of unjudged documents and measure
scores as (

    select
        unpooled.collection_key,
        unpooled.pool_key,
        unpooled.run_key,
        unpooled.topic_key,
        unpooled.unjudged,
        unpooled.measure,
        truth.score as true_score,
        unpooled.score as unpooled_score,
        -- all top documents of the run are judged by the truth
        case
            when unpooled.unjudged = 'nonrelevant' then
                {{ residual(
                    'truth.n_judged - unpooled.n_judged', 'truth.score + truth.anti_score',
                    'unpooled.score + unpooled.anti_score'
                ) }}
        end as residual
    from int_candidate_topic_scores as unpooled
    inner join int_candidate_topic_scores as truth
        on
            unpooled.pool_key = truth.pool_key
            and unpooled.topic_key = truth.topic_key
            and unpooled.measure = truth.measure
            and truth.judged_by = 'truth'
    where unpooled.judged_by = 'pool'

)

select * from scores
