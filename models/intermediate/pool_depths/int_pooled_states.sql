with

{{ imports(
    'int_collections', 'int_runs', 'int_pool_depths', 'int_run_pool_depths', 'int_pool_edges', 'int_depth_voters'
) }},

-- one row per run that answers a judged topic of a collection with a pool depth: its documents down to that depth,
-- whether the qrels hold nearly all of them, the number that they lack in its worst topic, and whether a list goes on
covered as (

    select
        collection_key,
        run_key,
        sum(n_within) as n_within,
        sum(n_within_in_qrels) as n_within_in_qrels,
        {{ is_judged_enough('sum(n_within_in_qrels)', 'sum(n_within)') }} as is_judged_enough,
        max(n_within - n_within_in_qrels) as n_gaps,
        sum(n_beyond) > 0 as goes_on
    from pool_edges
    group by all

),

-- one row per collection with such a run that has a vote and enough documents in the qrels: the share that the qrels
-- lack, by chance, of the median run. As many runs lack more than the median run; one document is added to its gaps.
missing as (

    select
        covered.collection_key,
        median((covered.n_within - covered.n_within_in_qrels + 1) / (covered.n_within + 1)) as missing_share
    from covered
    inner join depth_voters using (run_key)
    where
        covered.is_judged_enough
        and depth_voters.has_vote
    group by covered.collection_key

),

-- one row per run, with what the qrels say
compared as (

    select
        runs.collection_key,
        runs.run_key,
        depth_voters.is_declared_pooled,
        runs.is_after_pool,
        pool_depths.has_declared_runs,
        collections.is_judged and pool_depths.pool_depth is not null as is_inferable,
        {{ tolerated_gaps('run_pool_depths.pool_depth', 'coalesce(missing.missing_share, 0)') }} as n_tolerated_gaps,
        case
            -- a list may have any of its documents
            when pool_depths.pool_depth_source = 'recorded' and covered.run_key is not null
                then depth_voters.is_declared_pooled
            else covered.is_judged_enough and covered.n_gaps <= n_tolerated_gaps
        end as looks_pooled,
        covered.goes_on
    from runs
    inner join collections using (collection_key)
    inner join pool_depths using (collection_key)
    left join depth_voters using (run_key)
    left join run_pool_depths using (run_key)
    left join missing using (collection_key)
    left join covered using (collection_key, run_key)

),

-- the same rows, and whether a run shows the pool: where lists go on after the depth, one of these has to look pooled
shown as (

    select
        *,
        coalesce(bool_or(looks_pooled) filter (where goes_on) over of_collection, true) as is_shown
    from compared
    window of_collection as (partition by collection_key)

),

-- the same rows: a declaration holds, whatever the qrels say. A run that was made when the pool was already judged
-- was not pooled.
states as (

    select
        collection_key,
        run_key,
        n_tolerated_gaps,
        looks_pooled,
        case
            when has_declared_runs then coalesce(is_declared_pooled, false)
            when is_after_pool or not is_declared_pooled then false
            when is_inferable and is_shown then coalesce(looks_pooled, false)
        end as is_pooled
    from shown

)

select * from states
