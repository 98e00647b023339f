-- question: Do AP and bpref agree without exclusive judgements?
-- about: papers
--
-- Buckley et al. 2006: a row per run, judgement set that excludes documents that
-- its organization alone contributed, and treatment of unjudged documents
-- (docs/measures_that_disagree.md). without_organization excludes all of these
-- documents, and without_unique_relevant the relevant ones. ap and bpref have
-- all judgements, over the topics that the run answers. ap_change and
-- bpref_change are the scores with the judgement set minus these, and
-- is_opposite says whether one rises where the other falls. Changes are null
-- where the run answers no topic, and where the pool depth is not known. Both
-- are null where the setting measures lacks AP or Bpref.
with

{{ imports('fct_run_scores', 'dim_runs', 'dim_collections') }},

-- one row per run, judgement set and treatment, with both measures
scores as (

    select
        collection_id,
        run_id,
        judgement_set,
        unjudged,
        any_value(score) filter (where measure = 'AP') as ap,
        any_value(score) filter (where measure = 'Bpref') as bpref
    from run_scores
    where
        measure in ('AP', 'Bpref')
        and judgement_set in ('full', 'without_organization', 'without_unique_relevant')
    group by all

),

-- the same rows with the scores with all judgements
beside_full as (

    select
        *,
        any_value(ap) filter (where judgement_set = 'full') over same_run as full_ap,
        any_value(bpref) filter (where judgement_set = 'full') over same_run as full_bpref
    from scores
    window same_run as (partition by collection_id, run_id, unjudged)

),

-- one row per run, judgement set without documents that only its organization contributed, and treatment: the
-- changes of both measures
shifts as (

    select
        beside_full.collection_id,
        beside_full.run_id,
        beside_full.judgement_set,
        beside_full.unjudged,
        beside_full.full_ap as ap,
        beside_full.full_bpref as bpref,
        {{ if_pool_is_known(signed('beside_full.ap - beside_full.full_ap'), 'collections') }} as ap_change,
        {{ if_pool_is_known(signed('beside_full.bpref - beside_full.full_bpref'), 'collections') }} as bpref_change
    from beside_full
    inner join collections using (collection_id)
    where beside_full.judgement_set <> 'full'

),

-- the same rows: whether one measure rises where the other falls
compared as (

    select
        shifts.collection_id,
        shifts.run_id,
        runs.is_pooled,
        shifts.judgement_set,
        shifts.unjudged,
        shifts.ap,
        shifts.bpref,
        shifts.ap_change,
        shifts.bpref_change,
        sign({{ comparable('shifts.ap_change') }}) * sign({{ comparable('shifts.bpref_change') }}) < 0 as is_opposite
    from shifts
    inner join runs using (collection_id, run_id)

)

select * from compared
