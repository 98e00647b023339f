with

{{ imports(
    'int_collections', 'int_runs', 'int_pooled_states', 'int_topic_counts', 'int_topic_first_ranks', 'int_pool_depths',
    "int_run_scores where unjudged = 'nonrelevant'"
) }},

-- one row per run, with one column per measure
side_by_side as (

    select
        collection_key,
        run_key,
        max(n_topics) as n_topics,
        {{ leaderboard_columns('measure', 'score_all_topics') }}
    from run_scores
    group by all

),

-- the same rows, without the measures that tell nothing of the collection
told as (

    select side_by_side.* replace ({{ told_columns('side_by_side') }})
    from side_by_side
    inner join pool_depths using (collection_key)

),

-- one row per run that answers a judged topic
first_ranks as (

    select
        run_key,
        sum(n_unjudged) / sum(n_documents) as unjudged_share
    from topic_first_ranks
    group by run_key

),

named as (

    select
        collections.collection_id,
        {{ leaderboard_rank('told', 'collections.collection_id') }} as rank,
        runs.run_id,
        runs.organization,
        runs.run_type,
        pooled_states.is_pooled,
        told.n_topics,
        cast(topic_counts.n_judged_topics as integer) as n_judged_topics,
        {{ leaderboard_columns_of('told') }},
        {{ if_unjudged_is_told('first_ranks.unjudged_share', 'pool_depths.judging') }} as unjudged_10
    from told
    inner join pool_depths using (collection_key)
    inner join collections using (collection_key)
    inner join runs using (run_key)
    inner join topic_counts using (collection_key)
    inner join pooled_states using (run_key)
    left join first_ranks using (run_key)

)

select * from named
