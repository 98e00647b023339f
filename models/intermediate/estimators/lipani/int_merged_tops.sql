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

{{ imports('int_rankings', 'int_pool_runs', 'int_candidates', 'int_judged_topics', 'int_run_topics') }},

-- no row, unless a shared document gets its rank in the unpooled run
merge_weights as (

    select * from {{ ref('int_merge_weights') }}
    where hundredths = 100

),

{{ rankings_to_merge() }},

-- the first ranks of the runs of the pools and of the candidates, each with its bit
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

-- those of the runs of the pools that are no candidates. Every candidate is in a pool, or a new run is the only one.
other_tops as (

    select member_tops.*
    from member_tops
    anti join candidates_to_merge using (collection_key, run_key)

),

-- the documents at first ranks that a candidate shares with a run of a pool: those of the candidate, and those of the
-- other runs
shared_documents as (

    {% for tops, others in [('candidate_tops', 'member_rankings'), ('other_tops', 'candidate_rankings')] %}
        select
            tops.collection_key,
            tops.topic_key,
            tops.run_key,
            others.run_key as other_run_key,
            tops.rank_bit,
            tops.rank < others.rank as is_higher
        from {{ others }} as others
        inner join {{ tops }} as tops
            on
                others.collection_key = tops.collection_key
                and others.topic_key = tops.topic_key
                and others.doc_key = tops.doc_key
                and others.run_key <> tops.run_key
        {{ 'union all' if not loop.last }}
    {% endfor %}

),

-- one row per run, other run and topic: the first ranks of the run with a document that the other one has, and those
-- among them that are above its rank there. A pair of candidates is joined once, and read from both sides.
shared_ranks as (

    select
        collection_key,
        topic_key,
        run_key,
        other_run_key,
        bit_or(rank_bit) as ranks,
        bit_or(rank_bit) filter (where is_higher) as higher
    from shared_documents
    group by all

),

-- one row per run of the pool and topic
members as (

    select
        member_topics.collection_key,
        member_topics.run_key,
        member_topics.topic_key,
        member_topics.n_retrieved as n_documents,
        {{ bits_down_to('least(member_topics.n_retrieved, ' ~ ranks ~ ')') }} as ranks
    from member_topics
    cross join merge_weights

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
        coalesce(shared_ranks.ranks, 0) as shared,
        coalesce(shared_ranks.higher, 0) as moved_up
    from members
    inner join candidates_to_merge as candidates
        on
            members.collection_key = candidates.collection_key
            and members.run_key <> candidates.run_key
    left join shared_ranks
        on
            members.collection_key = shared_ranks.collection_key
            and members.run_key = shared_ranks.other_run_key
            and members.topic_key = shared_ranks.topic_key
            and candidates.run_key = shared_ranks.run_key
    left join shared_ranks as left_ranks
        on
            members.collection_key = left_ranks.collection_key
            and members.run_key = left_ranks.run_key
            and members.topic_key = left_ranks.topic_key
            and candidates.run_key = left_ranks.other_run_key

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
