-- question: What if an organization had not taken part?
-- about: judgements
--
-- For each organization with pooled runs: its best run as it is, and as it would be scored had the organization contributed
-- nothing to the pool (judgement set `without_organization`). Its place is then the one among the other organizations' runs, whose
-- scores stay as they are. That is how wrong the place of a newcomer of this kind would be.
--
-- parameter: collection
-- parameter: measure = 'AP'
with

run_scores as (

    select * from run_scores($collection, $measure)

),

scores_left_out as (

    select * from run_scores($collection, $measure, judgement_set := 'without_organization')

),

runs as (

    select * from dim_runs
    where collection_id = $collection

),

-- one row per run
scored as (

    select
        runs.organization,
        runs.run_id,
        runs.is_pooled,
        run_scores.score_all_topics as score,
        scores_left_out.score_all_topics as score_left_out
    from runs
    inner join run_scores on runs.run_id = run_scores.run_id
    inner join scores_left_out on runs.run_id = scores_left_out.run_id

),

-- one row per organization with a pooled run: the best of these
best_runs as (

    select *
    from scored
    where is_pooled
    qualify row_number() over (partition by organization order by score desc, run_id) = 1

),

placed as (

    select
        best_runs.organization,
        best_runs.run_id as best_run,
        best_runs.score,
        best_runs.score_left_out,
        1 + count(*) filter (where others.score > best_runs.score) as place,
        1 + count(*) filter (where others.score > best_runs.score_left_out) as place_left_out
    from best_runs
    left join scored as others on best_runs.organization <> others.organization
    group by
        best_runs.organization,
        best_runs.run_id,
        best_runs.score,
        best_runs.score_left_out

)

select * from placed
order by
    place_left_out - place desc,
    score - score_left_out desc,
    organization

-- sample: --collection odd-one-out
