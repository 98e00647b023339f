{{
    config(
        materialized='table_macro',
        arguments=['collection', 'asked', 'run_ids', 'new_rankings'],
        contract={'enforced': false},
    )
}}
{%- set given = ['int_judgements', 'int_pool_documents'] %}
-- The scores that runs would have if their unjudged documents were relevant. These documents differ from run to run,
-- so each run has qrels of its own: a topic of the CTEs below is a topic of one run. The arguments have the names of
-- columns:
-- noqa: disable=RF03

with

{{ imports('int_collections', 'measures', 'int_topics') }},

{{ hints_of_asked() }},

-- one row: the collection and its lowest relevant grade; or an error that says which argument is wrong
asked_collection as (

    select
        case
            {{ wrong_arguments_of_scores(['collection', 'asked']) }}
            else max(collection_key)
        end as collection_key,
        {{ asked_relevance_level() }} as relevance_level
    from hints
    left join collections on collections.collection_id = collection

),

judgements as (

    select judgements.*
    from asked_collection
    inner join {{ ref('int_judgements') }} as judgements
        on asked_collection.collection_key = judgements.collection_key

),

judged_topics as (

    select judged_topics.*
    from asked_collection
    inner join {{ ref('int_judged_topics') }} as judged_topics
        on asked_collection.collection_key = judged_topics.collection_key

),

-- the rankings of the requested runs
rankings as (

    select
        runs.run_id,
        runs.run_key,
        rankings.topic_key,
        rankings.doc_key,
        rankings.rank
    from asked_collection
    inner join {{ ref('int_runs') }} as runs on asked_collection.collection_key = runs.collection_key
    inner join {{ ref('int_rankings') }} as rankings
        on
            runs.collection_key = rankings.collection_key
            and runs.run_key = rankings.run_key
    where list_contains(run_ids, runs.run_id)
    union all
    select
        run_id,
        run_key,
        topic_key,
        doc_key,
        rank
    from query_table(new_rankings)

),

-- one row per run and judged topic that it answers, with a key of its own
cases as (

    select
        rankings.run_id,
        rankings.run_key,
        rankings.topic_key as real_topic_key,
        cast(row_number() over () as integer) as topic_key,
        count(*) as n_retrieved
    from rankings
    inner join judged_topics on rankings.topic_key = judged_topics.topic_key
    group by
        rankings.run_id,
        rankings.run_key,
        rankings.topic_key

),

-- the highest grade of the collection, which is a relevant one
highest as (

    select greatest(max(judgements.grade), any_value(asked_collection.relevance_level)) as grade
    from asked_collection
    cross join judgements

),

-- the documents of the rankings that are judged, and those that count as relevant: unjudged, above the cutoff
judged_rankings as (

    select
        asked_collection.collection_key,
        cases.run_key,
        cases.topic_key,
        rankings.doc_key,
        rankings.rank,
        case when judgements.is_judged then judgements.grade else highest.grade end as grade,
        judgements.is_judged is not true as is_assumed,
        is_assumed or judgements.grade >= asked_collection.relevance_level as is_relevant,
        null as sole_run_key,
        null as sole_organization_key,
        null as sole_relevant_organization_key
    from rankings
    cross join asked_collection
    cross join highest
    inner join cases
        on
            rankings.run_key = cases.run_key
            and rankings.topic_key = cases.real_topic_key
    left join judgements
        on
            rankings.topic_key = judgements.topic_key
            and rankings.doc_key = judgements.doc_key
    where
        judgements.is_judged
        or rankings.rank <= {{ asked_depth('asked') }}

),

-- the qrels of each run: the judgements, and the documents that count as relevant
int_judgements as (

    select
        judgements.collection_key,
        cases.topic_key,
        judgements.doc_key,
        judgements.grade,
        judgements.is_judged,
        judgements.grade >= asked_collection.relevance_level as is_relevant
    from judgements
    cross join asked_collection
    inner join cases on judgements.topic_key = cases.real_topic_key
    where judgements.is_judged
    union all
    select
        collection_key,
        topic_key,
        doc_key,
        grade,
        true as is_judged,
        is_relevant
    from judged_rankings
    where is_assumed

),

-- no document leaves these qrels
int_pool_documents as (

    select
        collection_key,
        0 as pool_key,
        topic_key,
        doc_key,
        is_relevant,
        {{ contributed_by_nobody() }}
    from int_judgements
    where false

),

{{ steps(['int_judged_topics', 'int_left_out'], given) }},

{{ step('int_ideal_rankings', given + ['int_left_out'], called='ideal_rankings') }},

{{ step(
    'int_topic_totals', given + ['int_judged_topics', 'int_left_out'], called='topic_totals',
    instead={'int_ideal_rankings': 'ideal_rankings'}
) }},

left_out as (

    select
        cases.run_key,
        int_left_out.*
    from cases
    inner join int_left_out on cases.topic_key = int_left_out.topic_key

),

run_topics as (

    select
        run_key,
        topic_key,
        n_retrieved
    from cases

),

treatments as (

    select 'nonrelevant' as unjudged

),

{{ asked_scores() }},

-- one row per run and judged topic that it answers
named as (

    select
        cases.run_id,
        topics.topic_id,
        scores.score
    from scores
    inner join cases on scores.topic_key = cases.topic_key
    inner join topics
        on
            scores.collection_key = topics.collection_key
            and cases.real_topic_key = topics.topic_key

)

select * from named
