-- question: How do my collections compare?
-- about: trust
--
-- One row per judged collection, oldest first. `left_out_p_10` is the loss of
-- P@10 of a pooled run when its organization is left out of the pool, as a
-- share of the score. Scores of different collections cannot be compared, but
-- these figures can.
with

collections as (

    select * from audits.rpt_archive

),

compared as (

    select
        collection_id,
        year,
        pool_depth,
        n_pooled_runs,
        relevant_per_topic,
        relative_bias_p10 as left_out_p_10,
        verdict
    from collections

)

select * from compared
order by
    year,
    collection_id

-- sample:
--                                 n_  relevant_   left_
-- collection_         pool_  pooled_       per_  out_p_
-- id            year  depth     runs      topic      10  verdict
-- ─────────────────────────────────────────────────────────────────────────
-- deep-pool              50       24    46.6333  0.0115  reusable with care
-- odd-one-out            20       14    20.6667  0.1076  not reusable
-- shallow-pool           10        8    14.7667  0.1646  not reusable
