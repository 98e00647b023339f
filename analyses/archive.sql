-- question: How do my collections compare?
-- about: trust
--
-- One row per judged collection, oldest first. `left_out_p_10` is what a pooled run loses of its P@10 when its organization is
-- left out of the pool, as a share of the score. Scores of different collections cannot be compared, these figures can.
with

collections as (

    select * from rpt_archive

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
