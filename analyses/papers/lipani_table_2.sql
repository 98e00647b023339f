-- question: Do we compute the errors that were published?
-- about: papers
--
-- Table 2 of Lipani et al. 2015: a row per track, measure and estimator, with
-- the figures that this warehouse computes, the published figures, and the
-- figures that the published tool gives when it is run. One organization is
-- left out, and the subset is top_75. Computed columns are null where the
-- collection is not loaded; our SRE* is in lipani_sre_star. No configuration reproduces the paper's 80 pooled
-- runs of Ad Hoc 8, and the paper's Ad Hoc 6 is Robust 2005.
with

{{ imports(published='published_lipani_2015_table_2') }},

tool as (

    select * from {{ ref('published_tool_errors') }}
    where
        level = 'organization'
        and subset = 'top_75'

),

computed as (

    select * from {{ ref('fct_estimator_errors') }}
    where
        level = 'organization'
        and subset = 'top_75'
        and unjudged = 'nonrelevant'

),

-- one row per cell of the published table with its three figures (MAE, SRE, SRE*)
compared as (

    select
        published.collection_id,
        published.track,
        published.measure,
        published.estimator,
        computed.n_runs,
        computed.mae as computed_mae,
        cast(published.mae as double) as published_mae,
        cast(tool.mae as double) as published_tool_mae,
        round(round(computed.mae, 4) - published.mae, 4) as mae_difference,
        computed.sre as computed_sre,
        published.sre as published_sre,
        tool.sre as published_tool_sre,
        computed.sre - published.sre as sre_difference,
        published.sre_star as published_sre_star,
        tool.sre_star_paired_t as published_tool_sre_star_paired_t,
        computed.kendall_tau as computed_kendall_tau,
        cast(tool.kendall_tau as double) as published_tool_kendall_tau
    from published
    left join computed
        on
            published.collection_id = computed.collection_id
            and published.measure = computed.measure
            and published.estimator = computed.estimator
    left join tool
        on
            published.collection_id = tool.collection_id
            and published.measure = tool.measure
            and published.estimator = tool.estimator

)

select * from compared
