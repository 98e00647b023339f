{#- Not stored, because the merged rankings of TREC-8 have 25 million rows and are read once. -#}
{{ config(materialized='ephemeral') }}
{#-
    A document that is below rank b in both runs stays below b for any alpha. The documents above b in either run
    may fill the merged ranking down to the cutoff without passing b. Then no other document can be in it. This is
    so for 19 of 20 lists of TREC-8 with a b of one and a half cutoffs, and takes a third of the time.
-#}
{%- set bound = deepest_cutoff() * 3 // 2 %}

with

{{ imports(
    'int_rankings', 'int_merge_weights', 'int_pool_runs', 'int_candidates', 'int_judged_topics', 'int_run_topics'
) }},

{{ rankings_to_merge() }},

-- the lists whose top is known without merging
known_tops as (

    select distinct
        collection_key,
        candidate_run_key,
        member_run_key,
        topic_key
    from {{ ref('int_merged_tops') }}

),

-- the other lists: one row per candidate, other run of the pool of all runs, and topic; smaller pools merge the same
-- pairs
lists as (

    select
        candidates.collection_key,
        candidates.run_key as candidate_run_key,
        member_topics.run_key as member_run_key,
        member_topics.topic_key,
        merge_weights.hundredths
    from member_topics
    inner join candidates_to_merge as candidates
        on
            member_topics.collection_key = candidates.collection_key
            and member_topics.run_key <> candidates.run_key
    cross join merge_weights
    anti join known_tops
        on
            candidates.collection_key = known_tops.collection_key
            and candidates.run_key = known_tops.candidate_run_key
            and member_topics.run_key = known_tops.member_run_key
            and member_topics.topic_key = known_tops.topic_key

),

-- one row per pair, topic and document of the pool's run that either of the two runs has down to the bound
upper_documents as (

    select
        lists.collection_key,
        lists.candidate_run_key,
        lists.member_run_key,
        lists.hundredths,
        member_rankings.topic_key,
        member_rankings.doc_key,
        member_rankings.rank as rank_pooled,
        candidate_rankings.rank as rank_unpooled
    from member_rankings
    inner join lists
        on
            member_rankings.run_key = lists.member_run_key
            and member_rankings.topic_key = lists.topic_key
    left join candidate_rankings
        on
            lists.candidate_run_key = candidate_rankings.run_key
            and member_rankings.topic_key = candidate_rankings.topic_key
            and member_rankings.doc_key = candidate_rankings.doc_key
    where member_rankings.rank <= {{ bound }}
    union all
    select
        lists.collection_key,
        lists.candidate_run_key,
        lists.member_run_key,
        lists.hundredths,
        member_rankings.topic_key,
        member_rankings.doc_key,
        member_rankings.rank as rank_pooled,
        candidate_rankings.rank as rank_unpooled
    from member_rankings
    inner join candidate_rankings using (topic_key, doc_key)
    inner join lists
        on
            member_rankings.run_key = lists.member_run_key
            and member_rankings.topic_key = lists.topic_key
            and candidate_rankings.run_key = lists.candidate_run_key
    where
        member_rankings.rank > {{ bound }}
        and candidate_rankings.rank <= {{ bound }}

),

-- one row per pair and topic of the pool's run: the top of the merged ranking of these documents, best first, and
-- how many of them do not pass the bound. Materialized, because it is read for the settled lists and for the
-- others.
upper_merged as materialized (

    select
        collection_key,
        candidate_run_key,
        member_run_key,
        hundredths,
        topic_key,
        {{ first_in_order(
            'doc_key', merge_order('rank_pooled', 'rank_unpooled', 'hundredths'), deepest_cutoff()
        ) }} as doc_keys,
        count(*) filter (
            where {{ merged_rank_in_hundredths('rank_pooled', 'rank_unpooled', 'hundredths') }} <= {{ bound * 100 }}
        ) as n_within
    from upper_documents
    group by all

),

-- the lists that are not settled, computed from all of their documents. A topic that the candidate does not answer
-- has no shared document and does not change.
other_merged as (

    select
        upper_merged.collection_key,
        upper_merged.candidate_run_key,
        upper_merged.member_run_key,
        upper_merged.topic_key,
        {{ first_in_order(
            'member_rankings.doc_key',
            merge_order('member_rankings.rank', 'candidate_rankings.rank', 'upper_merged.hundredths'),
            deepest_cutoff()
        ) }} as doc_keys
    from member_rankings
    inner join upper_merged
        on
            member_rankings.run_key = upper_merged.member_run_key
            and member_rankings.topic_key = upper_merged.topic_key
            and upper_merged.n_within < {{ deepest_cutoff() }}
    left join candidate_rankings
        on
            upper_merged.candidate_run_key = candidate_rankings.run_key
            and member_rankings.topic_key = candidate_rankings.topic_key
            and member_rankings.doc_key = candidate_rankings.doc_key
    group by all

),

-- one row per pair and topic of the pool's run
merged as (

    select
        collection_key,
        candidate_run_key,
        member_run_key,
        topic_key,
        doc_keys
    from upper_merged
    where n_within >= {{ deepest_cutoff() }}
    union all
    select * from other_merged

)

select * from merged
