with

{{ imports(
    'int_inferred_depths', 'int_runs', 'int_run_mismatches', 'int_collections where is_judged',
    "int_pool_depths where pool_depth is null and judging <> 'exhaustive'"
) }},

depth_evidence as (

    select * from {{ ref('int_depth_evidence') }}
    where
        of_run_key is null
        and {{ is_judged_enough('share_above', 1) }}

),

-- one row per collection where a list continues after a rank down to which it looks pooled: its most probable depth,
-- or else the one with the largest drop
best as (

    select
        collection_key,
        max(probability) as probability,
        max(share_drop) as share_drop,
        arg_max(depth, (probability, share_drop, -depth)) as depth
    from depth_evidence
    group by collection_key

),

-- one row per collection of which no run meets the qrels: the first of its runs
mismatched as (

    select
        runs.collection_key,
        arg_min(runs.run_id || ': ' || run_mismatches.mismatch, runs.run_id) as mismatch
    from runs
    left join run_mismatches using (run_key)
    group by runs.collection_key
    having count(run_mismatches.run_key) = count(*)

),

-- one row per judged collection without a pool depth, in which not every candidate was judged: why no depth is probable
explained as (

    select
        collections.collection_key,
        collections.collection_id,
        mismatched.mismatch,
        case
            when pool_depths.is_own_inferred
                then
                    'the runs that are declared as pooled show different depths, and most show none: the descriptions '
                    || 'may have a column depth'
            when inferred_depths.is_depth_told is null then 'no run that could show it answers a judged topic'
            when not inferred_depths.is_depth_told then 'the qrels hold every document of the runs that could show it'
            when best.depth is null then 'the qrels hold the first documents of no run that could show it'
            when best.probability > 0
                then
                    'a depth of ' || best.depth || ' is the most probable, with a probability of only '
                    || {{ number_in_words('best.probability') }}
            else
                'the share of documents in the qrels drops enough at no rank, by '
                || {{ number_in_words('best.share_drop') }} || ' at most, after rank ' || best.depth
        end as cause
    from collections
    inner join pool_depths using (collection_key)
    left join inferred_depths using (collection_key)
    left join best using (collection_key)
    left join mismatched using (collection_key)

),

-- the same rows with the whole sentence, which every other place repeats
said as (

    select
        collection_key,
        mismatch is not null as is_mismatch,
        case
            when mismatch is not null then 'no run meets the qrels, so nothing is told (' || mismatch || ')'
            else
                'the pool depth is not known, so nothing is estimated (' || cause
                || '): if you know it, poolhouse load ' || {{ as_shell_word('collection_id') }} || ' --depth N'
                || ', or --judging exhaustive where every candidate was judged'
        end as remark
    from explained

)

select * from said
