with

{{ imports('int_collections', 'int_runs', 'int_pooled_states', 'int_topics', 'int_topic_first_ranks') }},

-- one row per run and judged topic, with one column per measure
side_by_side as (

    select
        collection_key,
        run_key,
        topic_key,
        is_answered,
        {{ leaderboard_columns_of_scores() }}
    from {{ ref('int_scores') }}
    where unjudged = 'nonrelevant'

),

named as (

    select
        collections.collection_id,
        topics.topic_id,
        {{ leaderboard_rank('side_by_side', 'collections.collection_id, topics.topic_id') }} as rank,
        runs.run_id,
        runs.organization,
        runs.run_type,
        pooled_states.is_pooled,
        side_by_side.is_answered,
        {{ leaderboard_columns_of('side_by_side') }},
        topic_first_ranks.n_unjudged / topic_first_ranks.n_documents as unjudged_10
    from side_by_side
    inner join collections on side_by_side.collection_key = collections.collection_key
    inner join runs on side_by_side.run_key = runs.run_key
    inner join topics
        on
            side_by_side.collection_key = topics.collection_key
            and side_by_side.topic_key = topics.topic_key
    inner join pooled_states on side_by_side.run_key = pooled_states.run_key
    left join topic_first_ranks
        on
            side_by_side.run_key = topic_first_ranks.run_key
            and side_by_side.topic_key = topic_first_ranks.topic_key

)

select * from named
