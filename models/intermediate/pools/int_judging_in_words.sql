with

{{ imports(
    'int_collections where is_judged', 'int_pool_depths', 'int_unknown_depths', 'int_pool_parts', 'int_judged_topics',
    'int_topic_pools where source is not null', 'int_earlier_rounds', 'int_listed_pools'
) }},

-- one row per judged collection: its relevant documents, and its topics with several of them
relevant_counts as (

    select
        collection_key,
        cast(median(n_relevant) filter (where n_relevant > 0) as varchar) as median_relevant,
        count_if(n_relevant > 1) || ' of ' || count(*) as topics_with_several
    from judged_topics
    group by collection_key

),

-- one row per collection whose topics were pooled differently, and depth: its topics
depth_counts as (

    select
        topic_pools.collection_key,
        nullif({{ depth_on_topic('topic_pools', 'pool_depths.pool_depth') }}, 0) as depth,
        count(*) as n_topics
    from topic_pools
    inner join pool_depths using (collection_key)
    group by all

),

-- one row per such collection: the numbers of topics, the deepest pool first
topic_groups as (

    select
        collection_key,
        string_agg(
            n_topics || coalesce(' to depth ' || depth, ' in a way that these runs do not show'), ', '
            order by depth desc nulls last
        ) as topic_groups
    from depth_counts
    group by collection_key
    having count(*) > 1

),

-- one row per collection with judgements that were made before its runs
rounds_before as (

    select
        collection_key,
        sum(n_judged) as n_judged
    from earlier_rounds
    group by collection_key

),

-- one row per judged collection: how it was judged, and what else is to be known about it
phrases as (

    select
        collections.collection_key,
        pool_depths.judging,
        pool_depths.pool_depth is not null as has_depth,
        case
            when pool_depths.judging = 'exhaustive'
                then 'the load declares that every candidate document was judged, so that no pool depth is asked'
            when {{ lists_relevant_documents('pool_depths.judging') }} and not unknown_depths.is_mismatch
                then
                    case
                        when pool_depths.is_judging_declared then 'the labels are declared as sparse'
                        else 'the qrels hold no document that is judged not relevant'
                    end
                    || ' (' || replace(relevant_counts.median_relevant, '.0', '') || ' relevant a topic, as a median, '
                    || relevant_counts.topics_with_several || ' topics have several): nobody knows of other documents '
                    || 'whether anybody looked at them. nDCG, RR, Success and R@k tell where the known ones are. '
                    || 'Bpref, infAP, condensed scores and unjudged shares tell nothing, and more judgements might '
                    || 'order the runs otherwise'
            when pool_depths.pool_depth is null then unknown_depths.remark
            when pool_depths.pool_depth_source = 'recorded'
                then
                    listed_pools.n_answered || ' of ' || listed_pools.n_listed || ' documents on '
                    || listed_pools.n_lists || case listed_pools.n_lists when 1 then ' list' else ' lists' end
                    || ' of pool make are answered (' || listed_pools.strategies || '; '
                    || len(listed_pools.run_ids) || ' runs), which is the work of a pool of depth '
                    || pool_depths.pool_depth || '; what leaves with an organization is counted by the lists '
                    || '(poolhouse pool rerun runs a strategy again)'
            when pool_parts.n_runs is null
                then
                    'the first ' || pool_depths.pool_depth || ' documents of the pooled runs were judged, and no '
                    || 'loaded run is known to be one of them'
            else
                'the first ' || pool_depths.pool_depth || ' documents of ' || pool_parts.n_runs
                || ' loaded runs were judged'
        end as how,
        case
            when listed_pools.n_answered < listed_pools.n_listed
                then listed_pools.n_listed - listed_pools.n_answered || ' documents on lists have no answer yet'
        end as open_lists,
        case
            when pool_depths.least_own_depth < pool_depths.greatest_own_depth
                then
                    'the runs were pooled to depths of their own, from ' || pool_depths.least_own_depth || ' to '
                    || pool_depths.greatest_own_depth || ' (pool_depth in dim_runs): a run outside the pool is '
                    || 'compared with a depth of ' || pool_depths.pool_depth
        end as own_depths,
        'topics were pooled differently (pool_depth in dim_topics): ' || topic_groups.topic_groups
        || '; load NEW --of ' || {{ as_shell_word('collections.collection_id') }}
        || ' --of-depth N makes a collection of one pool' as topic_pools,
        rounds_before.n_judged || ' judgements of earlier rounds are of documents that no run returns: they are no '
        || 'part of the pool' as rounds,
        case
            when pool_parts.is_told or pool_parts.explained_share is null then null
            when pool_parts.n_missing_runs > 0
                then
                    pool_parts.n_runs || ' of ' || (pool_parts.n_runs + pool_parts.n_missing_runs)
                    || ' runs that took part are loaded, and others may have brought the same documents'
            else
                'the loaded runs of the pool explain ' || {{ number_in_words('100 * pool_parts.explained_share') }}
                || ' % of the judgements, and others may have brought the same documents'
        end as part,
        'not loaded of the runs that took part: '
        || array_to_string(list_slice(pool_parts.missing_run_ids, 1, 3), ', ')
        || case
            when pool_parts.n_missing_runs > 3 then ' and ' || (pool_parts.n_missing_runs - 3) || ' more'
            else ''
        end as missing_runs,
        case
            when
                pool_depths.judging <> 'pooled'
                and unknown_depths.is_mismatch is not true
                and collections.declared_pool_depth is not null
                then 'the declared depth is not used, unless --judging pooled is declared'
        end as unused_depth
    from collections
    inner join pool_depths using (collection_key)
    inner join pool_parts using (collection_key)
    left join unknown_depths using (collection_key)
    left join relevant_counts using (collection_key)
    left join topic_groups using (collection_key)
    left join listed_pools using (collection_key)
    left join rounds_before using (collection_key)

),

-- the same rows as sentences: all of it, what limits the figures, and why nobody can say what others brought to the pool
in_words as (

    select
        collection_key,
        case
            when judging = 'pooled' then concat_ws('; ', how, own_depths, topic_pools, rounds, part, missing_runs)
            else concat_ws('; ', how, unused_depth)
        end as how_judged,
        nullif(
            case
                when judging = 'exhaustive' then coalesce(unused_depth, '')
                when judging <> 'pooled' or not has_depth then concat_ws('; ', how, unused_depth)
                else concat_ws('; ', open_lists, own_depths, topic_pools, rounds, part, missing_runs)
            end, ''
        ) as caveat,
        concat_ws('; ', part, case when part is not null then missing_runs end) as part
    from phrases

)

select * from in_words
