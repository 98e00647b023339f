{{ config(materialized='table') }}

with

{{ imports(
    'int_candidate_rankings', 'int_run_topics', 'int_levels', 'int_pool_measures', 'int_measure_weights',
    'int_candidates where is_scored'
) }},

-- the views of a candidate: with the whole pool, which is the truth, and without the documents that leave with the
-- candidate, where unjudged documents are not relevant or are condensed
views as (

    select *
    from (
        values ('truth', 'nonrelevant'), ('pool', 'nonrelevant'), ('pool', 'condensed')
    ) as listed (judged_by, unjudged)

),

-- the documents of the candidates that stay judged when the candidate leaves, at each level
staying as (

    select
        levels.level,
        candidate_rankings.*
    from candidate_rankings
    cross join levels
    where
        {{ stays_judged(
            contributor_at('levels.level', 'candidate_rankings', prefix='sole_'),
            contributor_at('levels.level', 'candidate_rankings')
        ) }}

),

-- the judged documents of each candidate, level and view, with the rank at which they count
viewed as (

    select
        pool_key,
        run_key,
        topic_key,
        level,
        'pool' as judged_by,
        'nonrelevant' as unjudged,
        rank,
        is_relevant
    from staying
    union all
    select
        pool_key,
        run_key,
        topic_key,
        level,
        'pool' as judged_by,
        'condensed' as unjudged,
        cast(
            row_number() over (partition by pool_key, run_key, topic_key, level order by rank) as integer
        ) as rank,
        is_relevant
    from staying
    union all
    select
        candidate_rankings.pool_key,
        candidate_rankings.run_key,
        candidate_rankings.topic_key,
        levels.level,
        'truth' as judged_by,
        'nonrelevant' as unjudged,
        candidate_rankings.rank,
        candidate_rankings.is_relevant
    from candidate_rankings
    cross join levels
    where {{ is_true_judgement('levels.level', 'candidate_rankings') }}

),

-- one row per candidate, topic, level, view and measure with a judged document: the weight of the relevant
-- documents, which is the score, the weight of the other documents, and the number judged down to the cutoff
found as (

    select
        viewed.pool_key,
        viewed.run_key,
        viewed.topic_key,
        viewed.level,
        viewed.judged_by,
        viewed.unjudged,
        measure_weights.measure,
        {{ sum_of_weights('measure_weights.weight', 'viewed.is_relevant') }} as score,
        {{ sum_of_weights('measure_weights.weight', 'not viewed.is_relevant') }} as anti_score,
        count(*) as n_judged
    from viewed
    inner join measure_weights using (rank)
    inner join pool_measures using (pool_key, measure)
    group by all

),

-- the grid: one row per candidate, topic that it answers, level, view and measure
scores as (

    select
        candidates.collection_key,
        candidates.pool_key,
        candidates.run_key,
        run_topics.topic_key,
        levels.level,
        views.judged_by,
        views.unjudged,
        pool_measures.measure,
        coalesce(found.score, 0) as score,
        coalesce(found.anti_score, 0) as anti_score,
        cast(coalesce(found.n_judged, 0) as integer) as n_judged
    from candidates
    inner join run_topics using (collection_key, run_key)
    inner join pool_measures using (pool_key)
    inner join levels on {{ is_level_of('candidates') }}
    cross join views
    left join found using (pool_key, run_key, topic_key, measure, level, judged_by, unjudged)

)

select * from scores
