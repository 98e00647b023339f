with

{{ imports(
    'int_collections', 'int_runs', 'int_pooled_states', 'int_topics', 'int_topic_first_ranks', 'int_pool_depths'
) }},

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

-- the same rows, without the measures that tell nothing of the collection
told as (

    select side_by_side.* replace ({{ told_columns('side_by_side') }})
    from side_by_side
    inner join pool_depths using (collection_key)

),

named as (

    select
        collections.collection_id,
        topics.topic_id,
        {{ leaderboard_rank('told', 'collections.collection_id, topics.topic_id') }} as rank,
        runs.run_id,
        runs.organization,
        runs.run_type,
        pooled_states.is_pooled,
        told.is_answered,
        {{ leaderboard_columns_of('told') }},
        {{ if_unjudged_is_told(
            'topic_first_ranks.n_unjudged / topic_first_ranks.n_documents', 'pool_depths.judging'
        ) }} as unjudged_10
    from told
    inner join pool_depths using (collection_key)
    inner join collections using (collection_key)
    inner join runs using (run_key)
    inner join topics using (collection_key, topic_key)
    inner join pooled_states using (run_key)
    left join topic_first_ranks using (run_key, topic_key)

)

select * from named
