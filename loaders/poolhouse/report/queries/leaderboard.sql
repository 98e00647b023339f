-- One row per run, the best ones first.
select
    rank,
    run_id,
    organization,
    run_type,
    is_pooled,
    n_topics,
    n_judged_topics,
    ap,
    p_10,
    ndcg_10,
    rr,
    bpref,
    r_1000,
    unjudged_10
from leaderboard
where collection_id = $collection
order by
    rank,
    run_id
