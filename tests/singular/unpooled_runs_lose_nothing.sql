-- Scores of runs that were not pooled which differ between judgement sets: such a run contributed
-- nothing, so that leaving it out changes nothing.
with

run_scores as (

    select * from {{ ref('fct_run_scores') }}
    where
        {{ is_named_at_hand() }}
        and n_topics > 0

),

runs as (

    select * from {{ ref('dim_runs') }}
    where
        {{ is_named_at_hand() }}
        and not is_pooled

)

select
    run_scores.collection_id,
    run_scores.run_id,
    run_scores.unjudged,
    run_scores.measure
from run_scores
inner join runs
    on
        run_scores.collection_id = runs.collection_id
        and run_scores.run_id = runs.run_id
group by
    run_scores.collection_id,
    run_scores.run_id,
    run_scores.unjudged,
    run_scores.measure
having
    (max(run_scores.score) - min(run_scores.score) <= 1e-9) is distinct from true
    or count(distinct run_scores.judgement_set) <> 3
