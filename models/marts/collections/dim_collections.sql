with

{{ imports(
    'int_collections', 'int_pool_depths', 'int_inferred_depths', 'int_runs', 'int_pooled_states',
    'int_judging_in_words', 'int_pool_parts', 'int_judged_topics', 'int_topic_counts'
) }},

-- one row per collection
run_counts as (

    select
        runs.collection_key,
        count(*) as n_runs,
        {{ count_if_known('pooled_states.is_pooled') }} as n_pooled_runs,
        count(distinct runs.organization) as n_organizations,
        sum(runs.n_documents_left_out) as n_documents_left_out
    from runs
    inner join pooled_states using (run_key)
    group by runs.collection_key

),

-- one row per judged collection
judgement_counts as (

    select
        collection_key,
        sum(n_judged) as n_judgements,
        sum(n_relevant) as n_relevant
    from judged_topics
    group by collection_key

),

described as (

    select
        collections.collection_id,
        collections.title,
        collections.track,
        collections.year,
        collections.task,
        collections.main_measure,
        pool_depths.judging,
        judging_in_words.how_judged,
        judging_in_words.caveat as judging_caveat,
        pool_depths.pool_depth,
        pool_depths.pool_depth_source,
        cast({{ depth_confidence('pool_depths', 'inferred_depths') }} as double) as pool_depth_confidence,
        case
            when pool_depths.pool_depth_source = 'recorded' then 'recorded'
            when pool_depths.has_declared_runs then 'declared'
            when collections.is_judged and pool_depths.pool_depth is not null then 'inferred'
            else 'unknown'
        end as pooled_runs_source,
        collections.pooling_order,
        collections.relevance_threshold,
        collections.judged_from,
        collections.passage_mark,
        cast({{ trec_eval_version() }} as integer) as trec_eval_version,
        collections.is_judged,
        cast(run_counts.n_runs as integer) as n_runs,
        run_counts.n_pooled_runs,
        cast(run_counts.n_organizations as integer) as n_organizations,
        cast(coalesce(topic_counts.n_judged_topics, 0) as integer) as n_topics,
        cast(coalesce(pool_parts.n_pooled_topics, 0) as integer) as n_pooled_topics,
        cast(coalesce(topic_counts.n_known_topics, 0) as integer) as n_known_topics,
        topic_counts.topics_caveat,
        cast(coalesce(judgement_counts.n_judgements, 0) as bigint) as n_judgements,
        cast(coalesce(judgement_counts.n_relevant, 0) as bigint) as n_relevant,
        cast(run_counts.n_documents_left_out as bigint) as n_documents_left_out,
        cast(collections.n_judgements_left_out as bigint) as n_judgements_left_out
    from collections
    inner join pool_depths using (collection_key)
    left join inferred_depths using (collection_key)
    left join judging_in_words using (collection_key)
    left join pool_parts using (collection_key)
    inner join run_counts using (collection_key)
    left join topic_counts using (collection_key)
    left join judgement_counts using (collection_key)

)

select * from described
