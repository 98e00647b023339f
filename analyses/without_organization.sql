-- question: What if an organization had not taken part?
-- about: judgements
--
-- For each organization with pooled runs: the score of its best pooled run, and
-- the score of this run if the organization had contributed nothing to the pool
-- (judgement set `without_organization`). `place_left_out` is the place of that
-- score among the runs of the other organizations, which keep their scores with
-- all judgements. The AP of these runs would change a little too, because fewer
-- relevant documents would be known. The difference of the places shows how
-- wrong the place of a similar new organization would be.
--
-- parameter: collection
-- parameter: measure = 'AP'
with

-- scores are rounded, because the float noise of sums would decide places
run_scores as (

    select
        run_id,
        round(score_all_topics, 9) as score
    from run_scores($collection, $measure)

),

-- the same scores, without what the organization of each run contributed
scores_left_out as (

    select
        run_id,
        round(score_all_topics, 9) as score
    from run_scores(
        $collection, $measure, judgement_set := 'without_organization'
    )

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
        run_scores.score,
        scores_left_out.score as score_left_out
    from runs
    inner join run_scores on runs.run_id = run_scores.run_id
    inner join scores_left_out on runs.run_id = scores_left_out.run_id

),

-- one row per organization with a pooled run: its best pooled run
best_runs as (

    select *
    from scored
    where is_pooled
    qualify row_number() over (
        partition by organization
        order by score desc, run_id asc
    ) = 1

),

placed as (

    select
        best_runs.organization,
        best_runs.run_id as best_run,
        best_runs.score,
        best_runs.score_left_out,
        1 + count(*) filter (
            where other_runs.score > best_runs.score
        ) as place,
        1 + count(*) filter (
            where other_runs.score > best_runs.score_left_out
        ) as place_left_out
    from best_runs
    left join scored as other_runs
        on best_runs.organization <> other_runs.organization
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
    organization asc

-- sample: --collection odd-one-out
--                                 score_left_         place_left_
-- organization  best_run   score          out  place          out
-- ───────────────────────────────────────────────────────────────
-- owl           owl1      0.3474       0.2009      1           12
-- crane         crane2    0.2359       0.2162      9           12
-- martin        martin2   0.2312       0.2209     11           12
-- wren          wren2     0.2190       0.2032     14           14
-- finch         finch1    0.1649       0.1503     16           16
-- 5 of 7 rows
