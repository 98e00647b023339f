{{ config(materialized='table', meta={'rule': 'by_run'}) }}

with

{{ imports('int_candidates', 'int_contributions', pairs='int_pool_pairs') }},

lone_contributions as (

    select * from {{ ref('int_lone_contributions') }}
    where {{ is_at_hand() }}

),

pool_rankings as (

    select * from {{ ref('int_pool_rankings') }}
    where
        {{ is_at_hand() }}
        and sole_organization_key is not null
        and not is_own_contribution

),

-- whether the candidate takes the place of the withdrawn run
variants as (

    select * from (values (true), (false)) as listed (has_substitution)

),

-- documents that the withdrawn run shared with the candidate's contributor alone. They are lost, unless the
-- candidate takes its place and returned them too.
lost_with_both as (

    select
        pairs.* exclude (is_scored),
        variants.has_substitution,
        lone_contributions.topic_key,
        lone_contributions.doc_key,
        lone_contributions.rank,
        lone_contributions.condensed_rank,
        lone_contributions.is_relevant,
        true as is_in_pool,
        true as is_lost
    from lone_contributions
    inner join pairs
        on
            lone_contributions.collection_key = pairs.collection_key
            and lone_contributions.pool_key = pairs.pool_key
            and lone_contributions.level = pairs.level
            and lone_contributions.run_key = pairs.member_run_key
            and lone_contributions.other_contributor_key = pairs.candidate_contributor_key
    left join contributions
        on
            lone_contributions.collection_key = contributions.collection_key
            and lone_contributions.topic_key = contributions.topic_key
            and lone_contributions.doc_key = contributions.doc_key
            and pairs.run_key = contributions.run_key
    cross join variants
    where contributions.run_key is null or not variants.has_substitution

),

-- the documents of candidates that do not belong to the pool
contributions_from_outside as (

    select
        candidates.pool_key,
        contributions.*
    from candidates
    inner join contributions using (collection_key, run_key)
    where not candidates.is_member

),

-- documents that one run alone contributed to the pool, and that a candidate from outside of the pool returned too.
-- Materialized, because the planner may otherwise pair the runs first (4 s instead of 0.3 for TREC-8's candidates).
shared_with_outside as materialized (

    select
        lone_contributions.*,
        contributions.run_key as outside_run_key
    from lone_contributions
    inner join contributions_from_outside as contributions using (collection_key, pool_key, topic_key, doc_key)
    where lone_contributions.other_contributor_key is null

),

-- the documents that are kept where the candidate takes the place of the withdrawn run
kept as (

    select
        pairs.* exclude (is_scored),
        true as has_substitution,
        shared_with_outside.topic_key,
        shared_with_outside.doc_key,
        shared_with_outside.rank,
        shared_with_outside.condensed_rank,
        shared_with_outside.is_relevant,
        true as is_in_pool,
        false as is_lost
    from shared_with_outside
    inner join pairs
        on
            shared_with_outside.collection_key = pairs.collection_key
            and shared_with_outside.pool_key = pairs.pool_key
            and shared_with_outside.level = pairs.level
            and shared_with_outside.run_key = pairs.member_run_key
            and shared_with_outside.outside_run_key = pairs.run_key

),

-- documents further down in the ranking of the withdrawn run that the candidate's contributor alone contributed.
-- They have left the pool with the candidate, before the run is withdrawn.
gone as (

    select
        pairs.* exclude (is_scored),
        variants.has_substitution,
        pool_rankings.topic_key,
        pool_rankings.doc_key,
        pool_rankings.rank,
        pool_rankings.condensed_rank,
        pool_rankings.is_relevant,
        false as is_in_pool,
        true as is_lost
    from pool_rankings
    inner join pairs
        on
            pool_rankings.collection_key = pairs.collection_key
            and pool_rankings.pool_key = pairs.pool_key
            and pool_rankings.run_key = pairs.member_run_key
            and {{ contributor_at('pairs.level', 'pool_rankings', prefix='sole_') }}
            = pairs.candidate_contributor_key
    cross join variants

),

-- one row per pair, variant and document of the withdrawn run whose judgement differs from the result of the run's
-- own withdrawal alone
exceptions as (

    select * from lost_with_both
    union all
    select * from kept
    union all
    select * from gone

)

select
    collection_key,
    pool_key,
    level,
    run_key,
    member_run_key,
    has_substitution,
    topic_key,
    doc_key,
    rank,
    condensed_rank,
    is_relevant,
    is_in_pool,
    is_lost
from exceptions
