with

{{ imports(
    'int_collections', 'int_pool_depths', 'int_inferred_depths', 'int_judging_in_words', 'int_topic_counts', 'int_runs',
    'int_pooled_states', 'int_run_topics', 'int_run_mismatches'
) }},

-- one row per collection with runs that meet nothing of its qrels
unmet as (

    select
        run_mismatches.collection_key,
        {{ mismatches_in_words('runs.run_id', 'run_mismatches.mismatch') }} as remark
    from run_mismatches
    inner join runs using (run_key)
    group by run_mismatches.collection_key

),

-- one row per collection with a pooled run that answers a judged topic
with_pool as (

    select distinct runs.collection_key
    from runs
    inner join pooled_states using (run_key)
    semi join run_topics using (run_key)
    where pooled_states.is_pooled

),

-- one row per judged collection: its depth, and how sure it is where it is inferred
depths as (

    select
        pool_depths.collection_key,
        pool_depths.pool_depth,
        pool_depths.pool_depth_source,
        pool_depths.has_declared_runs,
        cast({{ depth_confidence('pool_depths', 'inferred_depths') }} as double) as confidence
    from pool_depths
    left join inferred_depths using (collection_key)

),

-- one row per collection with documents that were left out
left_out as (

    select
        collections.collection_key,
        coalesce(sum(runs.n_documents_left_out), 0) || ' documents of runs and '
        || any_value(collections.n_judgements_left_out) || ' judgements do not count for their topics and were left out'
            as remark
    from collections
    inner join runs using (collection_key)
    group by collections.collection_key
    having sum(runs.n_documents_left_out) + any_value(collections.n_judgements_left_out) > 0

),

-- one row per collection: what may be said of it, in this order; null where it does not apply
phrases as (

    select
        collections.collection_id,
        case
            when not collections.is_judged
                then
                    [
                        'not judged yet, so that nothing is scored; planning.pool_sizes, planning.run_contributions '
                        || 'and planning.run_overlaps (poolhouse sql) plan the pool, and so does poolhouse pool plan',
                        left_out.remark
                    ]
            else
                [
                    topic_counts.topics_caveat || '; all figures are about these topics',
                    unmet.remark,
                    -- docs/decisions/depth_inference.md
                    case
                        when depths.confidence < 0.95
                            then
                                'the pool depth ' || depths.pool_depth || ' is inferred with a probability of '
                                || format('{:.2f}', depths.confidence)
                                || ': see audits.audit_pool_depths, and declare it if it is known (load --depth)'
                    end,
                    -- here a build names a better pooling order, which takes seconds to find
                    null,
                    judging_in_words.caveat,
                    case
                        when depths.pool_depth is null or with_pool.collection_key is not null then null
                        when depths.has_declared_runs
                            then
                                'no run was pooled, so nothing is estimated: no run that is declared as pooled is '
                                || 'loaded and answers a judged topic'
                        else
                            'no run was pooled, so nothing is estimated: the qrels cover no run down to the '
                            || depths.pool_depth_source || ' depth ' || depths.pool_depth
                    end,
                    left_out.remark
                ]
        end as remarks
    from collections
    left join depths using (collection_key)
    left join judging_in_words using (collection_key)
    left join topic_counts using (collection_key)
    left join unmet using (collection_key)
    left join left_out using (collection_key)
    left join with_pool using (collection_key)

),

-- one row per collection and position; most have no remark
remarked as (

    select
        collection_id,
        unnest(remarks) as remark,
        generate_subscripts(remarks, 1) as position
    from phrases

),

-- one row per remark
told as (

    select
        collection_id,
        position,
        remark
    from remarked
    where remark is not null

)

select * from told
