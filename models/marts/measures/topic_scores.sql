{{
    config(
        materialized='table_macro',
        arguments=['collection', 'asked', "judgement_set := 'full'", "unjudged := 'nonrelevant'"],
        contract={'enforced': false},
    )
}}
-- int_measured_rankings for one collection, judgement set, treatment and measure, which is known only
-- when it is asked for: the steps are the same, and tests/python/test_reference.py holds both to the
-- same reference. The arguments are names like those of columns:
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

ideal_rankings as (

    select * from {{ ref('int_ideal_rankings') }}

),

judged_rankings as (

    select * from {{ ref('int_judged_rankings') }}

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
            when {{ problem_with_asked('asked') }} is not null
                then error(coalesce(max(hints.hint), {{ problem_with_asked('asked') }}))
            when judgement_set not in ('full', 'without_run', 'without_organization')
                then error(judgement_set || ' is not full, without_run or without_organization')
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
ideal as (

    select ideal_rankings.*
    from asked_collection
    inner join ideal_rankings on asked_collection.collection_key = ideal_rankings.collection_key

),

-- the documents of the collection's rankings that the qrels hold; by the key of the collection, the
-- engine passes over the others without reading them
judged as (

    select judged_rankings.*
    from asked_collection
    inner join judged_rankings on asked_collection.collection_key = judged_rankings.collection_key

),

-- one row per run: what is left out when it is scored
left_out as (

    select
        asked_collection.collection_key,
        asked_collection.relevance_level,
        judgement_sets.run_key,
        judgement_sets.left_out_run_key,
        judgement_sets.left_out_organization_key
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
        topic_totals.n_judged,
        count(ideal.rank) as n_gainful,
        count(*) filter (where ideal.grade >= asked_collection.relevance_level) as n_relevant,
        max(ideal.discounted_gain_so_far) filter (
            where ideal.rank <= {{ asked_cutoff('asked') }}
        ) as ideal_dcg
    from asked_collection
    inner join topic_totals on asked_collection.collection_key = topic_totals.collection_key
    left join ideal
        on
            topic_totals.collection_key = ideal.collection_key
            and topic_totals.topic_key = ideal.topic_key
            and {{ is_same_left_out('topic_totals', 'ideal') }}
    group by
        topic_totals.collection_key,
        topic_totals.topic_key,
        topic_totals.left_out_run_key,
        topic_totals.left_out_organization_key,
        topic_totals.n_judged

),

-- the grid: one row per run and judged topic, with the topic's totals
grid as (

    select
        left_out.run_key,
        left_out.relevance_level,
        totals.*,
        unjudged as unjudged,
        run_topics.n_retrieved is not null as is_answered,
        coalesce(run_topics.n_retrieved, 0) as full_length
    from left_out
    inner join totals
        on
            {{ is_same_left_out('left_out', 'totals') }}
    left join run_topics
        on
            left_out.run_key = run_topics.run_key
            and totals.topic_key = run_topics.topic_key

),

-- the documents of each cell that the qrels hold without what is left out
found as (

    select
        grid.run_key,
        grid.topic_key,
        judged.rank as full_rank,
        judged.grade,
        case when judged.is_relevant is not null then judged.grade >= grid.relevance_level end
            as is_relevant
    from grid
    inner join judged
        on
            grid.run_key = judged.run_key
            and grid.topic_key = judged.topic_key
            and {{ stays_judged('judged.sole_run_key', 'grid.left_out_run_key') }}
            and {{ stays_judged('judged.sole_organization_key', 'grid.left_out_organization_key') }}

),

-- the same rows, the judged documents counted from the top
counted as (

    select
        *,
        {{ counting_columns() }}
    from found
    window ranking as (partition by run_key, topic_key order by full_rank)

),

-- the documents among them that have a gain, counted from the top
gainful as (

    select
        *,
        {{ gain_counting_columns([]) }}
    from counted
    where grade > 0
    window ranking as (partition by run_key, topic_key order by full_rank)

),

-- the documents of each cell under the treatment; a cell without any keeps one empty row
judged_cells as (

    select
        grid.*,
        counted.grade,
        counted.is_relevant,
        {{ treated_columns('counted') }}
    from grid
    left join counted
        on
            grid.run_key = counted.run_key
            and grid.topic_key = counted.topic_key

),

-- the documents with a gain of each cell under the treatment; a cell without any keeps one empty row
gainful_cells as (

    select
        grid.*,
        gainful.grade,
        gainful.is_relevant,
        gainful.nth_relevant,
        gainful.nth_gainful,
        gainful.gain_so_far,
        gainful.p_unsatisfied,
        {{ treated_columns('gainful') }}
    from grid
    left join gainful
        on
            grid.run_key = gainful.run_key
            and grid.topic_key = gainful.topic_key

),

-- the same rows with the gain that the ideal ranking has at their rank
compared_cells as (

    select
        gainful_cells.*,
        ideal.gain_so_far as ideal_gain_so_far
    from gainful_cells
    left join ideal
        on
            gainful_cells.collection_key = ideal.collection_key
            and gainful_cells.topic_key = ideal.topic_key
            and {{ is_same_left_out('gainful_cells', 'ideal') }}
            and {{ rank_in_ideal('gainful_cells') }} = ideal.rank

),

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
