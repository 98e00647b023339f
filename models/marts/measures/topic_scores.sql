{{
    config(
        materialized='table_macro',
        arguments=['collection', 'asked', "judgement_set := 'full'", "unjudged := 'nonrelevant'"],
        contract={'enforced': false},
    )
}}
-- int_measured_rankings for one collection, judgement set, treatment and measure, which is known only
-- when it is asked for. The arguments are names like those of columns:
-- noqa: disable=RF03,AL09

with

collections as (

    select * from {{ ref('int_collections') }}

),

runs as (

    select * from {{ ref('int_runs') }}

),

topics as (

    select * from {{ ref('int_topics') }}

),

measures as (

    select * from {{ ref('measures') }}

),

run_topics as (

    select * from {{ ref('int_run_topics') }}

),

judgement_sets as (

    select * from {{ ref('int_judgement_sets') }}

),

topic_totals as (

    select * from {{ ref('int_topic_totals') }}

),

-- one row: how a measure is written, for those who ask by trec_eval's name; null for all others
hints as (

    select max('trec_eval''s ' || asked || ' is written ' || usage) as hint
    from measures
    where regexp_replace(asked, '_[0-9.]+$', '_k') in (trec_eval_name, trec_eval_name_at_cutoff)

),

-- one row: the collection, and from which grade a document is relevant; or an error that says which
-- argument is wrong
asked_collection as (

    select
        case
            when collection is null or asked is null or judgement_set is null or unjudged is null
                then error('an argument is null')
            when max(collection_key) is null then {{ no_such_collection('collection') }}
            when not bool_or(is_judged) then {{ not_judged('collection') }}
            when {{ problem_with_asked('asked') }} is not null
                then error(coalesce(max(hints.hint), {{ problem_with_asked('asked') }}))
            when not list_contains({{ judgement_sets() }}, judgement_set)
                then error(
                    judgement_set || ' is not {{ judgement_sets()[:-1] | join(', ') }} or {{ judgement_sets()[-1] }}'
                )
            when unjudged not in ('nonrelevant', 'condensed')
                then error(unjudged || ' is not nonrelevant or condensed')
            else max(collection_key)
        end as collection_key,
        coalesce({{ asked_parameter('asked', 'rel') }}, max(relevance_threshold)) as relevance_level
    from hints
    left join collections on collections.collection_id = collection

),

-- the ideal rankings of the collection: read twice below, and kept in between, so that those of the
-- others must go first
ideal_rankings as (

    select ideal_rankings.*
    from asked_collection
    inner join {{ ref('int_ideal_rankings') }} as ideal_rankings
        on asked_collection.collection_key = ideal_rankings.collection_key

),

-- the documents of the collection's rankings that the qrels hold, relevant from the asked grade on; by the key
-- of the collection, the engine passes over the others without reading them
judged_rankings as (

    select
        judged_rankings.* replace (
            case
                when judged_rankings.is_relevant is not null
                    then judged_rankings.grade >= asked_collection.relevance_level
            end as is_relevant
        )
    from asked_collection
    inner join {{ ref('int_judged_rankings') }} as judged_rankings
        on asked_collection.collection_key = judged_rankings.collection_key

),

treatments as (

    select unjudged as unjudged

),

-- one row per run and judged topic: what is left out when it is scored
left_out as (

    select
        asked_collection.collection_key,
        judgement_sets.run_key,
        judgement_sets.topic_key,
        judgement_sets.left_out_run_key,
        judgement_sets.left_out_organization_key,
        judgement_sets.left_out_relevant_organization_key
    from asked_collection
    inner join judgement_sets on asked_collection.collection_key = judgement_sets.collection_key
    where judgement_sets.judgement_set = judgement_set

),

-- one row per judged topic and thing left out, with what an ideal ranking finds
totals as (

    select
        topic_totals.collection_key,
        topic_totals.topic_key,
        topic_totals.left_out_run_key,
        topic_totals.left_out_organization_key,
        topic_totals.left_out_relevant_organization_key,
        topic_totals.n_judged,
        count(ideal_rankings.rank) as n_gainful,
        count(*) filter (where ideal_rankings.grade >= asked_collection.relevance_level) as n_relevant,
        max(ideal_rankings.discounted_gain_so_far) filter (
            where ideal_rankings.rank <= {{ asked_cutoff('asked') }}
        ) as ideal_dcg
    from asked_collection
    inner join topic_totals on asked_collection.collection_key = topic_totals.collection_key
    left join ideal_rankings
        on
            topic_totals.collection_key = ideal_rankings.collection_key
            and topic_totals.topic_key = ideal_rankings.topic_key
            and {{ is_same_left_out('topic_totals', 'ideal_rankings') }}
    group by
        topic_totals.collection_key,
        topic_totals.topic_key,
        topic_totals.left_out_run_key,
        topic_totals.left_out_organization_key,
        topic_totals.left_out_relevant_organization_key,
        topic_totals.n_judged

),

-- the grid: one row per run and judged topic, with the topic's totals; its key stands for all of them
grid as (

    select
        row_number() over () as cell_key,
        left_out.run_key,
        totals.*,
        run_topics.n_retrieved is not null as is_answered,
        coalesce(run_topics.n_retrieved, 0) as full_length
    from left_out
    inner join totals
        on
            left_out.topic_key = totals.topic_key
            and {{ is_same_left_out('left_out', 'totals') }}
    left join run_topics
        on
            left_out.run_key = run_topics.run_key
            and totals.topic_key = run_topics.topic_key

),

{{ documents_of_cells([]) }},

-- one row per run and judged topic: of these two, only the one that has the measure is computed (the
-- first for a measure that there is not, and that gives the error)
scores as (

    select
        collection_key,
        run_key,
        topic_key,
        is_answered,
        {{ asked_aggregate('asked', 'judged') }} as score
    from judged_cells
    where not {{ is_asked_of('asked', 'gains') }}
    group by
        collection_key,
        run_key,
        topic_key,
        is_answered
    union all
    select
        collection_key,
        run_key,
        topic_key,
        is_answered,
        {{ asked_aggregate('asked', 'gains') }} as score
    from compared_cells
    where {{ is_asked_of('asked', 'gains') }}
    group by
        collection_key,
        run_key,
        topic_key,
        is_answered

),

named as (

    select
        collection as collection_id,
        runs.run_id,
        topics.topic_id,
        judgement_set as judgement_set,
        unjudged as unjudged,
        asked as measure,
        scores.score,
        scores.is_answered
    from scores
    inner join runs on scores.run_key = runs.run_key
    inner join topics
        on
            scores.collection_key = topics.collection_key
            and scores.topic_key = topics.topic_key

)

select * from named
