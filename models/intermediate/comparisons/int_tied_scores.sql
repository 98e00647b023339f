{{
    config(
        materialized='table_macro',
        arguments=['collection', 'asked', "judgement_set := 'full'", "unjudged := 'nonrelevant'"],
        contract={'enforced': false},
    )
}}
{%- set known = {
    'int_runs': 'known_runs',
    'int_run_topics': 'known_run_topics',
    'int_judgement_sets': 'known_judgement_sets',
} -%}
-- Any measure on three orders of every ranking: trec_eval's, and the best and the worst that its ties allow.
-- The last two arguments stand for those of topic_scores, and are never passed. All are names like those of
-- columns:
-- noqa: disable=RF03

with

collections as (

    select * from {{ ref('int_collections') }}

),

runs as (

    select * from {{ ref('int_runs') }}

),

run_topics as (

    select * from {{ ref('int_run_topics') }}

),

judgement_sets as (

    select * from {{ ref('int_judgement_sets') }}

),

judged_rankings as (

    select * from {{ ref('int_judged_rankings') }}

),

ties as (

    select * from {{ ref('int_ties') }}

),

-- one row: the collection, and from which grade a document is relevant; none where the collection is not built
asked_collection as (

    select
        collection_key,
        coalesce({{ asked_parameter('asked', 'rel') }}, relevance_threshold) as relevance_level
    from collections
    where collection_id = collection

),

-- the runs, topics and judgement sets of the collection: the others must go first
known_runs as (

    select runs.*
    from asked_collection
    inner join runs on asked_collection.collection_key = runs.collection_key

),

known_run_topics as (

    select run_topics.*
    from asked_collection
    inner join run_topics on asked_collection.collection_key = run_topics.collection_key

),

known_judgement_sets as (

    select judgement_sets.*
    from asked_collection
    inner join judgement_sets on asked_collection.collection_key = judgement_sets.collection_key
    where judgement_sets.judgement_set = 'full'

),

-- the documents of the collection's rankings that the qrels hold, in trec_eval's order
trec_eval_rankings as (

    select
        judged_rankings.*,
        {{ tie_key('asked', 'judged_rankings', 'asked_collection.relevance_level') }} as tie_key
    from asked_collection
    inner join judged_rankings on asked_collection.collection_key = judged_rankings.collection_key

),

-- the groups of tied documents of the collection's rankings
groups as (

    select ties.*
    from asked_collection
    inner join ties on asked_collection.collection_key = ties.collection_key

),

-- the same documents with the nearest group that begins at their rank or above
beside_groups as (

    select
        trec_eval_rankings.*,
        groups.first_rank,
        groups.last_rank
    from trec_eval_rankings
    asof left join groups
        on
            trec_eval_rankings.run_key = groups.run_key
            and trec_eval_rankings.topic_key = groups.topic_key
            and trec_eval_rankings.rank >= groups.first_rank

),

-- those of the same documents that are tied, and the ranks that they can have
tied_documents as (

    select
        * exclude (tie_key),
        cast(
            first_rank - 1 + row_number() over (partition by run_key, topic_key, first_rank order by tie_key desc)
            as integer
        ) as rank_by_key
    from beside_groups
    where rank <= last_rank

),

-- all of them, with the rank nearest to the top and the one furthest from it by that order
ordered as (

    select
        * exclude (rank_by_key, first_rank, last_rank),
        rank_by_key as rank_in_order,
        first_rank + last_rank - rank_by_key as rank_in_reverse
    from tied_documents
    union all
    select
        * exclude (tie_key, first_rank, last_rank),
        rank as rank_in_order,
        rank as rank_in_reverse
    from beside_groups
    where
        last_rank is null
        or rank > last_rank

),

-- the rankings that score highest, and those that score lowest
highest_rankings as (

    select
        * exclude (rank_in_order, rank_in_reverse)
        replace (case {{ asked_ties('asked') }} when 'unjudged' then rank_in_reverse else rank_in_order end as rank)
    from ordered

),

lowest_rankings as (

    select
        * exclude (rank_in_order, rank_in_reverse)
        replace (case {{ asked_ties('asked') }} when 'unjudged' then rank_in_order else rank_in_reverse end as rank)
    from ordered

),

{{ step('topic_scores', [], called='plain_scores', instead=dict(known, int_judged_rankings='trec_eval_rankings')) }},

{{ step('topic_scores', [], called='highest_scores', instead=dict(known, int_judged_rankings='highest_rankings')) }},

{{ step('topic_scores', [], called='lowest_scores', instead=dict(known, int_judged_rankings='lowest_rankings')) }},

-- one row per run and topic: how many of its documents are tied with another one
tied_counts as (

    select
        groups.run_key,
        groups.topic_key,
        sum(groups.last_rank - groups.first_rank + 1) as n_tied
    from groups
    group by
        groups.run_key,
        groups.topic_key

),

topics as (

    select * from {{ ref('int_topics') }}

),

-- the same rows by their names
named_counts as (

    select
        known_runs.run_id,
        topics.topic_id,
        tied_counts.n_tied
    from tied_counts
    inner join known_runs on tied_counts.run_key = known_runs.run_key
    inner join topics
        on
            known_runs.collection_key = topics.collection_key
            and tied_counts.topic_key = topics.topic_key

),

-- one row per run and judged topic; sums in another order differ in the last digits, which no order of
-- documents makes
bounded as (

    select
        plain_scores.collection_id,
        plain_scores.run_id,
        plain_scores.topic_id,
        plain_scores.measure,
        plain_scores.score,
        case
            when {{ asked_ties('asked') }} <> 'unknown' then least(plain_scores.score, lowest_scores.score)
        end as lowest_score,
        case
            when {{ asked_ties('asked') }} <> 'unknown' then greatest(plain_scores.score, highest_scores.score)
        end as highest_score,
        cast(coalesce(named_counts.n_tied, 0) as integer) as n_tied,
        plain_scores.is_answered
    from plain_scores
    inner join lowest_scores
        on
            plain_scores.run_id = lowest_scores.run_id
            and plain_scores.topic_id = lowest_scores.topic_id
    inner join highest_scores
        on
            plain_scores.run_id = highest_scores.run_id
            and plain_scores.topic_id = highest_scores.topic_id
    left join named_counts
        on
            plain_scores.run_id = named_counts.run_id
            and plain_scores.topic_id = named_counts.topic_id

)

select * from bounded
