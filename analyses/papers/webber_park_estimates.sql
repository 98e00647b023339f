-- question: What do the common topics of a run say of the rest?
-- about: papers
--
-- Webber and Park 2009, algorithm 2: a row per run that was judged on common
-- topics (load --common-topics), measure, treatment of unjudged documents and
-- estimator. The estimate expects on all topics the gain that the run has on
-- the common ones. unadjusted_score has the judgements of the qrels.
-- has_smaller_adjusted_variance and is_adjustment_beyond_its_error are of
-- webber_park_topics, and is_fallback of the estimators of residuals
-- (docs/decisions/common_topics.md). Errors and intervals are null where the run
-- gains the same on every common topic, and where there is one common topic:
-- neither case is a certainty. Where none of the top documents is unjudged,
-- every estimate equals the score, with an error of 0
-- (docs/decisions/new_runs.md).
with

{{ imports('int_collections', 'int_runs', adjustments='int_common_topic_adjustments') }},

named as (

    select
        collections.collection_id,
        runs.run_id,
        adjustments.measure,
        adjustments.unjudged,
        adjustments.estimator,
        adjustments.n_topics,
        adjustments.n_common_topics,
        adjustments.n_unjudged,
        adjustments.unadjusted_score,
        adjustments.adjusted_score,
        adjustments.standard_error,
        adjustments.t_68_low,
        adjustments.t_68_high,
        adjustments.t_95_low,
        adjustments.t_95_high,
        adjustments.is_fallback,
        adjustments.has_smaller_adjusted_variance,
        adjustments.is_adjustment_beyond_its_error
    from adjustments
    inner join collections using (collection_key)
    inner join runs using (run_key)

)

select * from named
