-- Return runs that lack a score, or have too many. Each run that answers a judged topic has one score for every judged
-- topic, treatment of unjudged documents and measure with all judgements, and with each other judgement set for every
-- topic on which the runs were pooled. It answers as many topics as dim_runs says. Other runs have no score.
with

runs as (

    select * from {{ ref('dim_runs') }}
    where {{ is_named_at_hand() }}

),

collections as (

    select * from {{ ref('dim_collections') }}
    where {{ is_named_at_hand() }}

),

topic_scores as (

    select * from {{ ref('fct_topic_scores') }}
    where {{ is_named_at_hand() }}

),

scored as (

    select
        collection_id,
        run_id,
        count(*) as n_scores,
        count(*) filter (where is_answered) as n_scores_answered
    from topic_scores
    group by
        collection_id,
        run_id

),

-- topics on which the runs of a collection were not pooled
topic_pools as (

    select * from {{ ref('int_topic_pools') }}
    where
        {{ is_at_hand() }}
        and not {{ is_pooled_topic('int_topic_pools') }}

),

-- one row per run of a collection with such a topic: how many there are, and how many it answers
not_pooled as (

    select
        keys.collection_id,
        built_runs.run_id,
        count(*) as n_topics,
        count(run_topics.topic_key) as n_answered_topics
    from topic_pools
    inner join {{ ref('int_collections') }} as keys using (collection_key)
    inner join {{ ref('int_runs') }} as built_runs using (collection_key)
    left join {{ ref('int_run_topics') }} as run_topics using (run_key, topic_key)
    group by all

),

-- number of scores: judgement sets, treatments and measures
expected as (

    select
        runs.collection_id,
        runs.run_id,
        case
            when runs.n_topics > 0
                then
                    {{ judgement_sets() | length }} * collections.n_topics
                    - {{ judgement_sets() | length - 1 }} * coalesce(not_pooled.n_topics, 0)
            else 0
        end as n_scored_topics,
        {{ judgement_sets() | length }} * runs.n_topics
        - {{ judgement_sets() | length - 1 }} * coalesce(not_pooled.n_answered_topics, 0) as n_answered_topics,
        2 * {{ var('measures') | length }} as n_scores_of_a_topic
    from runs
    inner join collections on runs.collection_id = collections.collection_id
    left join not_pooled
        on
            runs.collection_id = not_pooled.collection_id
            and runs.run_id = not_pooled.run_id

)

select
    expected.*,
    scored.n_scores,
    scored.n_scores_answered
from expected
full join scored
    on
        expected.collection_id = scored.collection_id
        and expected.run_id = scored.run_id
where
    coalesce(scored.n_scores, 0) is distinct from expected.n_scored_topics * expected.n_scores_of_a_topic
    or coalesce(scored.n_scores_answered, 0)
    is distinct from expected.n_answered_topics * expected.n_scores_of_a_topic
