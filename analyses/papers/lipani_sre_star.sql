-- question: How many significant differences are turned?
-- about: papers
--
-- SRE* of Lipani et al. 2015, section 5.1: a row per collection, level, subset
-- of two or more pooled runs, measure, treatment of unjudged documents and
-- estimator. It counts the pairs of runs whose true scores differ significantly
-- and whose order is another one by the estimate, with Tukey's test and with
-- paired t-tests; null where no pair can be tested
-- (docs/decisions/significance.md). The figures of Table 2 stand beside it, and
-- those that the published tool gives when it is run.
with

{{ imports(
    'int_adjusted_scores', 'int_true_layouts', 'int_pool_measures', 'int_collections',
    int_layout_cells='int_layout_cells', published='published_lipani_2015_table_2', tool='published_tool_errors'
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

),

-- the same rows beside the published figures
compared as (

    select
        significant_rank_errors.*,
        published.sre_star as published_sre_star,
        tool.sre_star_paired_t as published_tool_sre_star_paired_t
    from significant_rank_errors
    left join published
        on
            significant_rank_errors.collection_id = published.collection_id
            and significant_rank_errors.measure = published.measure
            and significant_rank_errors.estimator = published.estimator
            and significant_rank_errors.level = 'organization'
            and significant_rank_errors.subset = 'top_75'
            and significant_rank_errors.unjudged = 'nonrelevant'
    left join tool
        on
            significant_rank_errors.collection_id = tool.collection_id
            and significant_rank_errors.level = tool.level
            and significant_rank_errors.subset = tool.subset
            and significant_rank_errors.measure = tool.measure
            and significant_rank_errors.estimator = tool.estimator
            and significant_rank_errors.unjudged = 'nonrelevant'

)

select * from compared
