{{ config(materialized='table') }}
{%- set views = views_of_candidates() %}

with

{{ imports(
    'int_candidate_rankings', 'int_run_topics', 'int_levels', 'int_pool_measures', 'int_measure_weights',
    'int_candidates where is_scored'
) }},

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
        '{{ views[1].name }}' as view,
        rank,
        is_relevant
    from staying
    union all
    select
        pool_key,
        run_key,
        topic_key,
        level,
        '{{ views[2].name }}' as view,
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
        '{{ views[0].name }}' as view,
        candidate_rankings.rank,
        candidate_rankings.is_relevant
    from candidate_rankings
    cross join levels
    where {{ is_true_judgement('levels.level', 'candidate_rankings') }}

),

-- one row per candidate, topic, level and measure with a judged document: in each view the weight of the relevant
-- documents, which is the score, the weight of the other documents, and the number judged down to the cutoff
found as (

    select
        viewed.pool_key,
        viewed.run_key,
        viewed.topic_key,
        viewed.level,
        {%- for view in views %}
            {%- set is_in_view = 'viewed.view = \'' ~ view.name ~ '\'' %}
            {{ sum_of_weights('measure_weights.weight', is_in_view ~ ' and viewed.is_relevant') }}
                as {{ view.name }}_score,
            {{ sum_of_weights('measure_weights.weight', is_in_view ~ ' and not viewed.is_relevant') }}
                as {{ view.name }}_anti_score,
            count(*) filter (where {{ is_in_view }}) as {{ view.name }}_n_judged,
        {%- endfor %}
        measure_weights.measure
    from viewed
    inner join measure_weights using (rank)
    inner join pool_measures using (pool_key, measure)
    group by all

),

-- the grid: one row per candidate, topic that it answers, level and measure
scores as (

    select
        candidates.collection_key,
        candidates.pool_key,
        candidates.run_key,
        run_topics.topic_key,
        levels.level,
        {%- for view in views %}
            coalesce(found.{{ view.name }}_score, 0) as {{ view.name }}_score,
            coalesce(found.{{ view.name }}_anti_score, 0) as {{ view.name }}_anti_score,
            cast(coalesce(found.{{ view.name }}_n_judged, 0) as integer) as {{ view.name }}_n_judged,
        {%- endfor %}
        pool_measures.measure
    from candidates
    inner join run_topics using (collection_key, run_key)
    inner join pool_measures using (pool_key)
    inner join levels on {{ is_level_of('candidates') }}
    left join found using (pool_key, run_key, topic_key, measure, level)

)

select * from scores
