with

{{ imports(
    'int_adjusted_scores', 'int_true_layouts', 'int_pool_measures', 'int_collections',
    int_layout_cells='int_layout_cells'
) }},

-- steps, because each of them is read several times, and only a build stores what it computed
{{ steps(['int_layout_differences'], given=['int_layout_cells']) }},

{{ pairs_of_estimates() }},

-- one row per pair of runs: 1 where the estimate of the first is on the wrong side of the other, and 1 where the two
-- differ (null where that cannot be tested); else 0
passed as (

    select
        pairs.collection_key,
        pairs.level,
        pairs.pool_key,
        pairs.measure,
        pairs.unjudged,
        pairs.estimator,
        cast(layout_differences.is_different_by_tukey as integer) as is_different_by_tukey,
        cast(layout_differences.is_different_by_paired_t as integer) as is_different_by_paired_t,
        cast(pairs.is_better <> pairs.is_better_than_estimate as integer) as is_passed
    from pairs
    inner join true_layouts using (level, pool_key, measure)
    left join int_layout_differences as layout_differences using (collection_key, layout_key, run_key, other_run_key)

),

-- one row per pool of two or more runs, level, measure, treatment and estimator
significant_rank_errors as (

    select
        collections.collection_id,
        passed.level,
        pool_measures.subset,
        passed.measure,
        passed.unjudged,
        passed.estimator,
        cast(sum(passed.is_passed * passed.is_different_by_tukey) as integer) as sre_star_tukey,
        cast(sum(passed.is_passed * passed.is_different_by_paired_t) as integer) as sre_star_paired_t
    from passed
    inner join pool_measures using (pool_key, measure)
    inner join collections using (collection_key)
    group by all

)

select * from significant_rank_errors
