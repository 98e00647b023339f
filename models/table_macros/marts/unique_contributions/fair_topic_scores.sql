{{ config(arguments=['collection', 'asked', 'definition', "n := null", "unjudged := 'nonrelevant'"]) }}
-- The judgements of a fair subset replace the qrels.

with

{{ imports('int_collections', 'int_runs', 'int_topics', 'int_run_topics') }},

{{ asked_collection(['collection', 'asked', 'definition', 'unjudged']) }},

-- the judgements that count
int_judgements as (

    select * from {{ ref('int_fair_judgements') }}(collection, definition, n := n)

),

{{ steps(['int_judged_rankings'], given=['int_judgements']) }},

-- the same judgements, relevant from the requested grade on
judgements as (

    select
        int_judgements.* replace (
            {{ asked_relevance('int_judgements') }} as is_relevant
        )
    from asked_collection
    inner join int_judgements using (collection_key)

),

judged_rankings as (

    select
        int_judged_rankings.* replace (
            {{ asked_relevance('int_judged_rankings') }} as is_relevant
        )
    from asked_collection
    inner join int_judged_rankings using (collection_key)

),

-- one row per topic of these judgements: number of judged documents
judged_counts as (

    select
        topic_key,
        count(*) filter (where is_judged) as n_judged
    from judgements
    group by topic_key

),

-- one row per topic of the qrels, whether any of its judgements is in the subset or not
sets as (

    select
        judged_topics.collection_key,
        judged_topics.topic_key,
        coalesce(judged_counts.n_judged, 0) as n_judged
    from asked_collection
    inner join {{ ref('int_judged_topics') }} as judged_topics using (collection_key)
    left join judged_counts using (topic_key)

),

-- one row per run and topic
lists as (

    select
        runs.collection_key,
        runs.run_key,
        sets.topic_key
    from runs
    inner join sets using (collection_key)

),

{{ asked_scores(treatments=['unjudged']) }},

-- the same rows with the names of runs and topics
named as (

    select
        collection as collection_id,
        runs.run_id,
        topics.topic_id,
        definition as definition,
        cast(n as integer) as n,
        unjudged as unjudged,
        asked as measure,
        scores.score,
        scores.is_answered
    from scores
    inner join runs using (run_key)
    inner join topics
        on
            scores.collection_key = topics.collection_key
            and scores.topic_key = topics.topic_key

)

select * from named
