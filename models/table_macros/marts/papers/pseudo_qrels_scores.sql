{{ config(arguments=[
    'collection', 'asked', 'share := 0.1', 'repetitions := 10', 'seed := 1', 'pool_depth := null', 'of_runs := null'
]) }}
-- An argument has the name of a keyword:
-- noqa: disable=RF04

with

{{ imports('int_documents', 'int_rankings', 'measures', qrels='int_judgements') }},

{{ hints_of_asked() }},

every_run as (

    select * from {{ ref('int_planned_runs') }}(collection, null, true)

),

contributions as (

    select *
    from {{ ref('int_planned_contributions') }}(collection, [coalesce(pool_depth, 1)], of_runs, pool_depth is null)

),

{{ asked_of_plan(depths='[coalesce(pool_depth, 1)]') }},

-- one row: what is wrong with the requested measure; null where nothing is wrong
problems as (

    select {{ problem_with_pseudo_qrels('asked') }} as problem
    from hints

),

-- one row: the number of repetitions; or an error that says which argument is wrong
asked_draws as (

    select
        case
            when asked is null or share is null or repetitions is null or seed is null
                then error('an argument is null')
            when problem is not null then error(problem)
            when not (share > 0 and share <= 1)
                then error('the share is ' || cast(share as varchar) || ', expected more than 0, and at most 1')
            when repetitions < 1
                then error('the repetitions are ' || cast(repetitions as varchar) || ', expected 1 or more')
            when pool_depth < 1
                then error('a depth is ' || cast(pool_depth as varchar) || ', expected 1 or more')
            when pool_depth is null and not is_judged
                then error(
                    '''' || collection_id || ''' is not judged yet: name the depth of the pool (pool_depth := ...)'
                )
            else repetitions
        end as n_repetitions
    from asked_collection
    cross join problems

),

draws as (

    select cast(unnest(range(1, n_repetitions + 1)) as integer) as repetition
    from asked_draws

),

-- one row per topic and document of the pool: the judged documents, or the documents of a pool of the given depth
pool_documents as (

    select
        asked_topics.collection_key,
        asked_topics.topic_key,
        asked_topics.topic_id,
        qrels.doc_key
    from asked_topics
    inner join qrels using (collection_key, topic_key)
    where
        qrels.is_judged
        and pool_depth is null
    union
    select
        asked_topics.collection_key,
        asked_topics.topic_key,
        asked_topics.topic_id,
        contributions.doc_key
    from contributions
    inner join asked_topics using (topic_key)
    where pool_depth is not null

),

-- one row per repetition, topic and document of the pool: a drawn one is relevant, with grade 1
judgements as (

    select
        pool_documents.collection_key,
        draws.repetition,
        pool_documents.topic_key,
        pool_documents.doc_key,
        row_number() over by_lot <= {{ n_drawn('count(*) over of_topic', 'share') }} as is_relevant,
        cast(is_relevant as integer) as grade
    from draws
    cross join pool_documents
    inner join documents using (collection_key, doc_key)
    window
        of_topic as (partition by draws.repetition, pool_documents.topic_key),
        by_lot as (
            partition by draws.repetition, pool_documents.topic_key
            order by
                {{ lot('seed', [
                    "'pseudo-qrels'", 'draws.repetition', 'pool_documents.topic_id', 'documents.doc_id'
                ]) }}
        )

),

-- one row per repetition and topic that has a pool
sets as (

    select
        collection_key,
        repetition,
        topic_key,
        count(*) as n_judged
    from judgements
    group by all

),

-- one row per repetition, run, topic and document of the pool that the run contains
judged_rankings as (

    select
        judgements.*,
        rankings.run_key,
        rankings.rank
    from asked_collection
    inner join rankings using (collection_key)
    inner join judgements using (topic_key, doc_key)

),

-- one row per run and topic that it answers, whether the topic has a pool or not
run_topics as (

    select
        rankings.run_key,
        rankings.topic_key,
        count(*) as n_retrieved
    from asked_collection
    inner join rankings using (collection_key)
    group by all

),

-- one row per repetition, run and topic that has a pool
lists as (

    select
        every_run.run_key,
        sets.*
    from every_run
    cross join sets

),

{{ asked_scores(by=['repetition']) }},

-- one row per repetition and run
run_scores as (

    select
        scores.repetition,
        scores.run_key,
        every_run.run_id,
        {{ over_topics('scores.score', 'measures.aggregation', 'scores.is_answered') }} as score,
        {{ over_topics('scores.score', 'measures.aggregation', 'true') }} as score_all_topics,
        cast(count(*) filter (where scores.is_answered) as integer) as n_topics
    from scores
    inner join every_run using (run_key)
    -- an outer join, so that an error about the arguments is raised and not joined away
    left join measures on measures.name = {{ asked_name('asked') }}
    group by all

),

-- one row per run
named as (

    select
        collection as collection_id,
        run_id,
        asked as measure,
        cast(share as double) as share,
        cast(count(*) as integer) as n_repetitions,
        seed as seed,
        any_value(n_topics) as n_topics,
        avg(score) as score,
        avg(score_all_topics) as score_all_topics,
        stddev_samp(score_all_topics) as score_deviation,
        min(score_all_topics) as lowest_score,
        max(score_all_topics) as highest_score
    from run_scores
    group by run_id

)

select * from named
