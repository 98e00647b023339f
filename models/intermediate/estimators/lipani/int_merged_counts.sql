{#-
    The merge joins every ranking with every other ranking, and the joins are written in the order in which they are
    cheap. On tables that the same build has just written, the planner's estimates are so wrong that it reverses the
    joins and hashes the large side. TREC-8 then runs out of 3 GB, or takes 37 s and 3.4 GB; in the written order it
    takes 15 s and 1.5 GB.
-#}
{{ config(
    materialized='table',
    meta={'portions': 'candidate_run_key'},
    pre_hook="set disabled_optimizers = 'join_order,build_side_probe_side'",
    post_hook="reset disabled_optimizers"
) }}

with

{{ imports(
    'int_pool_runs', 'int_pool_documents where is_relevant is not null', "int_pool_measures where measure_name = 'P'"
) }},

candidates as (

    select * from {{ ref('int_candidates') }}
    where
        {{ is_at_hand() }}
        and is_scored
        and {{ is_candidate_at_hand() }}

),

merged_tops as (

    select * from {{ ref('int_merged_tops') }}

),

merged_rankings as (

    select * from {{ ref('int_merged_rankings') }}

),

first_ranks as (

    select * from {{ ref('int_rankings') }}
    where
        {{ is_at_hand() }}
        and rank <= {{ ranks_in_bits() }}

),

-- one row per pool in which precision is estimated: its deepest cutoff
pools as (

    select
        pool_key,
        max(cutoff) as deepest_cutoff
    from pool_measures
    group by pool_key

),

-- one row per pool, candidate and other run of the pool
pool_pairs as (

    select
        candidates.collection_key,
        candidates.pool_key,
        pools.deepest_cutoff,
        candidates.run_key as candidate_run_key,
        candidates.organization_key as candidate_organization_key,
        pool_runs.run_key as member_run_key
    from candidates
    inner join pool_runs
        on
            candidates.collection_key = pool_runs.collection_key
            and candidates.pool_key = pool_runs.pool_key
            and candidates.run_key <> pool_runs.run_key
    inner join pools on candidates.pool_key = pools.pool_key

),

-- the merged rankings, one row per document
merged_documents as (

    select
        collection_key,
        candidate_run_key,
        member_run_key,
        topic_key,
        {{ elements('doc_keys', 'merged_rank') }}
    from merged_rankings

),

-- one row per pool, pair and band of ranks: number of judged documents without the candidate, and without its
-- organization
list_counts as (

    select
        pool_pairs.collection_key,
        pool_pairs.pool_key,
        pool_pairs.candidate_run_key,
        pool_pairs.member_run_key,
        {{ cutoff_band('merged_documents.merged_rank') }} as band,
        {{ counts_without_columns(
            'pool_documents',
            'cast(pool_documents.is_relevant as integer)',
            'cast(not pool_documents.is_relevant as integer)',
            'pool_pairs.candidate_run_key',
            'pool_pairs.candidate_organization_key'
        ) }}
    from merged_documents
    inner join pool_pairs
        on
            merged_documents.candidate_run_key = pool_pairs.candidate_run_key
            and merged_documents.member_run_key = pool_pairs.member_run_key
            and merged_documents.merged_rank <= pool_pairs.deepest_cutoff
    inner join pool_documents
        on
            pool_pairs.collection_key = pool_documents.collection_key
            and pool_pairs.pool_key = pool_documents.pool_key
            and merged_documents.topic_key = pool_documents.topic_key
            and merged_documents.doc_key = pool_documents.doc_key
    group by all

),

-- the runs that are in a pool, or are its candidates
runs_of_pools as (

    select
        collection_key,
        pool_key,
        run_key,
        organization_key
    from pool_runs
    union
    select
        collection_key,
        pool_key,
        run_key,
        organization_key
    from candidates

),

-- the documents at the first ranks of these runs that the pool has judged, with the bit of the rank
first_documents as (

    select
        runs_of_pools.*,
        first_ranks.topic_key,
        {{ bit_of('first_ranks.rank') }} as rank_bit,
        pool_documents.is_relevant,
        pool_documents.sole_run_key,
        pool_documents.sole_organization_key
    from first_ranks
    inner join runs_of_pools using (collection_key, run_key)
    inner join pool_documents using (collection_key, pool_key, topic_key, doc_key)

),

-- one row per pool, run and topic: the ranks of these documents, and of those that stay judged without the run, and
-- without its organization
judged_bits as (

    select
        collection_key,
        pool_key,
        run_key,
        topic_key,
        bit_or(rank_bit) filter (where is_relevant) as relevant,
        bit_or(rank_bit) filter (where not is_relevant) as non_relevant,
        bit_or(rank_bit) filter (where is_relevant and {{ stays_judged('sole_run_key', 'run_key') }})
            as relevant_without_run,
        bit_or(rank_bit) filter (where is_relevant and {{ stays_judged('sole_organization_key', 'organization_key') }})
            as relevant_without_organization,
        bit_or(rank_bit) filter (where not is_relevant and {{ stays_judged('sole_run_key', 'run_key') }})
            as non_relevant_without_run,
        bit_or(rank_bit) filter (
            where not is_relevant and {{ stays_judged('sole_organization_key', 'organization_key') }}
        ) as non_relevant_without_organization
    from first_documents
    group by all

),

-- one row per pool, run, topic and organization: the ranks of the documents that leave the pool with the organization
sole_bits as (

    select
        collection_key,
        pool_key,
        run_key,
        topic_key,
        sole_organization_key,
        bit_or(rank_bit) as ranks
    from first_documents
    where sole_organization_key is not null
    group by all

),

-- one row per pool, pair and cutoff: the same numbers as of the lists, down to the cutoff. A document that only the
-- candidate contributed is not exclusive to the pool's run; one of another run of its organization may be.
cutoff_counts as (

    select
        pool_pairs.collection_key,
        pool_pairs.pool_key,
        pool_pairs.candidate_run_key,
        pool_pairs.member_run_key,
        merged_tops.cutoff,
        sum(
            {{ n_bits('merged_tops.exclusive & coalesce(of_member.relevant, 0)') }}
            + {{ n_bits('merged_tops.shared & coalesce(of_candidate.relevant_without_run, 0)') }}
        ) as n_relevant_without_run,
        sum(
            {{ n_bits('merged_tops.exclusive & coalesce(of_member.non_relevant, 0)') }}
            + {{ n_bits('merged_tops.shared & coalesce(of_candidate.non_relevant_without_run, 0)') }}
        ) as n_non_relevant_without_run,
        sum(
            {{ n_bits('merged_tops.exclusive & coalesce(of_member.relevant, 0) & ~coalesce(sole_bits.ranks, 0)') }}
            + {{ n_bits('merged_tops.shared & coalesce(of_candidate.relevant_without_organization, 0)') }}
        ) as n_relevant_without_organization,
        sum(
            {{ n_bits('merged_tops.exclusive & coalesce(of_member.non_relevant, 0) & ~coalesce(sole_bits.ranks, 0)') }}
            + {{ n_bits('merged_tops.shared & coalesce(of_candidate.non_relevant_without_organization, 0)') }}
        ) as n_non_relevant_without_organization
    from merged_tops
    inner join pool_pairs
        on
            merged_tops.candidate_run_key = pool_pairs.candidate_run_key
            and merged_tops.member_run_key = pool_pairs.member_run_key
            and merged_tops.cutoff <= pool_pairs.deepest_cutoff
    left join judged_bits as of_member
        on
            pool_pairs.pool_key = of_member.pool_key
            and pool_pairs.member_run_key = of_member.run_key
            and merged_tops.topic_key = of_member.topic_key
    left join judged_bits as of_candidate
        on
            pool_pairs.pool_key = of_candidate.pool_key
            and pool_pairs.candidate_run_key = of_candidate.run_key
            and merged_tops.topic_key = of_candidate.topic_key
    left join sole_bits
        on
            pool_pairs.pool_key = sole_bits.pool_key
            and pool_pairs.member_run_key = sole_bits.run_key
            and merged_tops.topic_key = sole_bits.topic_key
            and pool_pairs.candidate_organization_key = sole_bits.sole_organization_key
    group by all

),

-- the numbers of the lists, and the differences between one cutoff and the next
counted as (

    select * from list_counts
    union all
    select
        collection_key,
        pool_key,
        candidate_run_key,
        member_run_key,
        cutoff as band,
        n_relevant_without_run - lag(n_relevant_without_run, 1, 0) over down_the_ranking as n_relevant_without_run,
        n_non_relevant_without_run - lag(n_non_relevant_without_run, 1, 0) over down_the_ranking
            as n_non_relevant_without_run,
        n_relevant_without_organization - lag(n_relevant_without_organization, 1, 0) over down_the_ranking
            as n_relevant_without_organization,
        n_non_relevant_without_organization
        - lag(n_non_relevant_without_organization, 1, 0) over down_the_ranking
            as n_non_relevant_without_organization
    from cutoff_counts
    window
        down_the_ranking as (
            partition by collection_key, pool_key, candidate_run_key, member_run_key
            order by cutoff
        )

),

-- one row per pool, pair and band with a document that stays judged without the candidate
counts as (

    select
        collection_key,
        pool_key,
        candidate_run_key,
        member_run_key,
        band,
        cast(sum(n_relevant_without_run) as bigint) as n_relevant_without_run,
        cast(sum(n_non_relevant_without_run) as bigint) as n_non_relevant_without_run,
        cast(sum(n_relevant_without_organization) as bigint) as n_relevant_without_organization,
        cast(sum(n_non_relevant_without_organization) as bigint) as n_non_relevant_without_organization
    from counted
    group by all
    having sum(coalesce(n_relevant_without_run, 0) + coalesce(n_non_relevant_without_run, 0)) > 0

)

select * from counts
