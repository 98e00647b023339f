{#- Not stored, because it is read once. -#}
{{ config(materialized='ephemeral') }}
{#-
    With alpha = 1, a shared document has the rank of the unpooled run as its key, and an exclusive one the rank of the
    pooled run. So each key has at most one shared and one exclusive document, and both rankings of a topic fit into
    two numbers, with one bit per rank. No list of documents is merged, which takes a third of the time.
-#}
{%- set ranks = ranks_in_bits() -%}
{%- set cutoffs = precision_cutoffs() -%}

with

{{ imports('int_pool_runs', 'int_candidates', 'int_judged_topics') }},

-- no row, unless a shared document gets its rank in the unpooled run
merge_weights as (

    select * from {{ ref('int_merge_weights') }}
    where hundredths = 100

),

-- not materialized, although it is read several times: keeping a copy takes longer
rankings as not materialized (

    select * from {{ ref('int_rankings') }}
    where {{ is_at_hand() }}

),

{{ rankings_to_merge() }},

-- the first ranks of both, each with its bit
member_tops as (

    select
        member_rankings.*,
        {{ bit_of('rank') }} as rank_bit
    from member_rankings
    cross join merge_weights
    where rank <= {{ ranks }}

),

candidate_tops as (

    select
        candidate_rankings.*,
        {{ bit_of('rank') }} as rank_bit
    from candidate_rankings
    cross join merge_weights
    where rank <= {{ ranks }}

),

-- one row per pair and topic with a document that both have, and that the candidate has at a first rank: the ranks of
-- the candidate that such documents have, and the ranks among them that are above the rank of the pool's run
shared_tops as (

    select
        member_rankings.collection_key,
        member_rankings.topic_key,
        candidate_tops.run_key as candidate_run_key,
        member_rankings.run_key as member_run_key,
        bit_or(candidate_tops.rank_bit) as shared,
        bit_or(candidate_tops.rank_bit) filter (where candidate_tops.rank < member_rankings.rank) as moved_up
    from member_rankings
    inner join candidate_tops
        on
            member_rankings.collection_key = candidate_tops.collection_key
            and member_rankings.topic_key = candidate_tops.topic_key
            and member_rankings.doc_key = candidate_tops.doc_key
            and member_rankings.run_key <> candidate_tops.run_key
    group by all

),

-- one row per pair and topic with a document that both have, and that the pool's run has at a first rank: the ranks of
-- the pool's run that such documents leave
left_ranks as (

    select
        member_tops.collection_key,
        member_tops.topic_key,
        candidate_rankings.run_key as candidate_run_key,
        member_tops.run_key as member_run_key,
        bit_or(member_tops.rank_bit) as ranks
    from candidate_rankings
    inner join member_tops
        on
            candidate_rankings.collection_key = member_tops.collection_key
            and candidate_rankings.topic_key = member_tops.topic_key
            and candidate_rankings.doc_key = member_tops.doc_key
            and candidate_rankings.run_key <> member_tops.run_key
    group by all

),

-- one row per run of the pool and topic
members as (

    select
        collection_key,
        run_key,
        topic_key,
        count(*) as n_documents,
        bit_or(case when rank <= {{ ranks }} then {{ bit_of('rank') }} end) as ranks
    from member_rankings
    cross join merge_weights
    group by all

),

-- one row per pair and topic of the pool's run: the ranks that exclusive and shared documents have in both rankings
merged as (

    select
        members.collection_key,
        candidates.run_key as candidate_run_key,
        members.run_key as member_run_key,
        members.topic_key,
        members.n_documents,
        members.ranks & ~coalesce(left_ranks.ranks, 0) as exclusive,
        coalesce(shared_tops.shared, 0) as shared,
        coalesce(shared_tops.moved_up, 0) as moved_up
    from members
    inner join candidates_to_merge as candidates
        on
            members.collection_key = candidates.collection_key
            and members.run_key <> candidates.run_key
    left join shared_tops
        on
            members.collection_key = shared_tops.collection_key
            and members.run_key = shared_tops.member_run_key
            and members.topic_key = shared_tops.topic_key
            and candidates.run_key = shared_tops.candidate_run_key
    left join left_ranks
        on
            members.collection_key = left_ranks.collection_key
            and members.run_key = left_ranks.member_run_key
            and members.topic_key = left_ranks.topic_key
            and candidates.run_key = left_ranks.candidate_run_key

),

cutoffs as (

    select unnest(cast({{ cutoffs }} as integer[])) as cutoff

),

-- one row per pair, topic and cutoff, where the first ranks of both fill the merged ranking down to the deepest cutoff
wanted as (

    select
        merged.*,
        cutoffs.cutoff,
        least(cutoffs.cutoff, merged.n_documents) as n_wanted
    from merged
    cross join cutoffs
    where {{ n_merged_down_to(ranks) }} >= least({{ cutoffs | max if cutoffs else 0 }}, merged.n_documents)

),

{{ keys_found_bit_by_bit('wanted', called='searched') }},

-- the same rows with the documents down to the next key, which may be one too many
cut as (

    select
        * exclude (exclusive, shared),
        exclusive & {{ bits_down_to('(key + 1)') }} as exclusive,
        shared & {{ bits_down_to('(key + 1)') }} as shared,
        {{ bit_of('(key + 1)') }} as last_bit,
        {{ n_merged_down_to('(key + 1)') }} > n_wanted as is_one_too_many
    from searched

),

-- the same rows without this document. Of a shared and an exclusive one with the same key, one comes first.
tops as (

    select
        collection_key,
        candidate_run_key,
        member_run_key,
        topic_key,
        cutoff,
        case
            when is_one_too_many and {{ is_shared_first('moved_up & last_bit <> 0') }} then exclusive & ~last_bit
            else exclusive
        end as exclusive,
        case
            when is_one_too_many and not {{ is_shared_first('moved_up & last_bit <> 0') }} then shared & ~last_bit
            else shared
        end as shared
    from cut

)

select * from tops
