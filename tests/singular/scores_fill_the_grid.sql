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
        count(*) filter (where is_answered and judgement_set = 'full') as n_scores_answered
    from topic_scores
    group by
        collection_id,
        run_id

),

-- number of scores of a topic: treatments and measures
expected as (

    select
        runs.collection_id,
        runs.run_id,
        case
            when runs.n_topics > 0
                then collections.n_topics + {{ judgement_sets() | length - 1 }} * collections.n_pooled_topics
            else 0
        end as n_scored_topics,
        runs.n_topics as n_answered_topics,
        2 * {{ var('measures') | length }} as n_scores_of_a_topic
    from runs
    inner join collections on runs.collection_id = collections.collection_id

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
