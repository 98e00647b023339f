{#- Not stored: the merged rankings of TREC-8 have 25 million rows, and are read once. -#}
{{ config(materialized='ephemeral') }}

with

-- read twice: to keep a copy of it takes longer
rankings as not materialized (

    select * from {{ ref('int_rankings') }}
    where {{ is_at_hand() }}

),

pool_runs as (

    select * from {{ ref('int_pool_runs') }}
    where
        {{ is_at_hand() }}
        and pool_key = 0

),

candidates as (

    select * from {{ ref('int_candidates') }}
    where
        {{ is_at_hand() }}
        and pool_key = 0

),

judged_topics as (

    select * from {{ ref('int_judged_topics') }}
    where {{ is_at_hand() }}

),

merge_weights as (

    select * from {{ ref('int_merge_weights') }}

),

-- the whole rankings of the runs of the pool
member_rankings as (

    select
        rankings.collection_key,
        rankings.run_key,
        rankings.topic_key,
        rankings.doc_key,
        rankings.rank
    from rankings
    inner join pool_runs
        on
            rankings.collection_key = pool_runs.collection_key
            and rankings.run_key = pool_runs.run_key
    inner join judged_topics
        on
            rankings.collection_key = judged_topics.collection_key
            and rankings.topic_key = judged_topics.topic_key

),

-- the whole rankings of the candidates
candidate_rankings as (

    select
        rankings.run_key,
        rankings.topic_key,
        rankings.doc_key,
        rankings.rank
    from rankings
    inner join candidates
        on
            rankings.collection_key = candidates.collection_key
            and rankings.run_key = candidates.run_key

),

-- one row per candidate and other run of the pool of all; smaller pools merge the same pairs
pairs as (

    select
        candidates.collection_key,
        candidates.run_key as candidate_run_key,
        pool_runs.run_key as member_run_key,
        merge_weights.hundredths
    from candidates
    inner join pool_runs
        on
            candidates.collection_key = pool_runs.collection_key
            and candidates.run_key <> pool_runs.run_key
    cross join merge_weights

),

-- one row per pair and topic of the pool's run: the top of the merged ranking, best first. A
-- topic that the candidate does not answer has no shared document and stays as it is.
merged as (

    select
        pairs.collection_key,
        pairs.candidate_run_key,
        pairs.member_run_key,
        member_rankings.topic_key,
        {{ first_in_order(
            'member_rankings.doc_key',
            merge_order('member_rankings.rank', 'candidate_rankings.rank', 'pairs.hundredths'),
            deepest_cutoff()
        ) }} as doc_keys
    from member_rankings
    inner join pairs on member_rankings.run_key = pairs.member_run_key
    left join candidate_rankings
        on
            pairs.candidate_run_key = candidate_rankings.run_key
            and member_rankings.topic_key = candidate_rankings.topic_key
            and member_rankings.doc_key = candidate_rankings.doc_key
    group by
        pairs.collection_key,
        pairs.candidate_run_key,
        pairs.member_run_key,
        member_rankings.topic_key

)

select * from merged
