{{ config(arguments=['collection', 'asked', "judgement_set := 'full'", "unjudged := 'nonrelevant'"]) }}
{%- set wrong -%}
    when not list_contains({{ judgement_sets() }}, judgement_set)
        then error(
            judgement_set || ' is not {{ judgement_sets()[:-1] | join(', ') }} or {{ judgement_sets()[-1] }}'
        )
{%- endset -%}
-- int_topic_scores for a judgement set, treatment and measure that are known only when the macro is called.

with

{{ imports(
    'int_collections', 'int_runs', 'int_topics', 'measures', 'int_run_topics', 'int_judgement_sets',
    'int_judged_topics', 'int_left_out'
) }},

{{ asked_collection(['collection', 'asked', 'judgement_set', 'unjudged'], wrong) }},

-- the qrels of the collection, relevant from the requested grade on
judgements as (

    select
        judgements.* replace (
            {{ asked_relevance('judgements') }} as is_relevant
        )
    from asked_collection
    inner join {{ ref('int_contributed_judgements') }} as judgements using (collection_key)

),

-- the documents that may leave with a run or organization; none where nothing is left out, so that nothing is joined
sole_documents as (

    select judgements.*
    from judgements
    where
        judgement_set <> 'full'
        and judgements.sole_organization_key is not null

),

-- the documents of the collection's rankings that are in the qrels, relevant from the requested grade on. With the
-- key of the collection, the engine skips other collections without reading them.
judged_rankings as (

    select
        judged_rankings.* replace (
            {{ asked_relevance('judged_rankings') }} as is_relevant
        ),
        sole_documents.sole_run_key,
        sole_documents.sole_organization_key,
        sole_documents.sole_relevant_organization_key
    from asked_collection
    inner join {{ ref('int_judged_rankings') }} as judged_rankings using (collection_key)
    left join sole_documents using (topic_key, doc_key)

),

-- one row per run and judged topic: what is left out when it is scored, if the topic loses a document by it. For all
-- qrels and for the other sets apart, because the planner knows the size of either.
lists as (

    select
        runs.collection_key,
        runs.run_key,
        judged_topics.topic_key,
        0 as left_out_key
    from asked_collection
    inner join runs using (collection_key)
    inner join judged_topics using (collection_key)
    where judgement_set = 'full'
    union all
    select judgement_sets.* exclude (judgement_set)
    from asked_collection
    inner join judgement_sets using (collection_key)
    where judgement_sets.judgement_set = judgement_set

),

-- the sets of judgements among them
sets as (

    select left_out.*
    from left_out
    semi join lists on {{ is_same_set('left_out', 'lists', ['left_out_key']) }}

),

{{ asked_scores(by=['left_out_key'], treatments=['unjudged']) }},

named as (

    select
        collection as collection_id,
        runs.run_id,
        topics.topic_id,
        judgement_set as judgement_set,
        unjudged as unjudged,
        asked as measure,
        {{ asked_trec_eval_name('asked', 'measures') }} as trec_eval_name,
        scores.score,
        scores.is_answered
    from scores
    inner join runs using (run_key)
    inner join topics
        on
            scores.collection_key = topics.collection_key
            and scores.topic_key = topics.topic_key
    -- an outer join, so that an error about the arguments is raised and not joined away
    left join measures on measures.name = {{ asked_name('asked') }}

)

select * from named
