{{ config(arguments=[
    'collection', 'asked', 'share := 0.1', 'repetitions := 10', 'seed := 1', 'pool_depth := null', 'of_runs := null'
]) }}
-- `cells` is read by its name in a text, and an argument has the name of a keyword:
-- noqa: disable=RF04,ST03

with

{{ imports('int_documents', 'int_rankings', 'measures') }},

{{ hints_of_asked() }},

every_run as (

    select * from {{ ref('int_planned_runs') }}(collection, null, true)

),

contributions as (

    select *
    from {{ ref('int_planned_contributions') }}(collection, [coalesce(pool_depth, 1)], of_runs, pool_depth is null)

),

{{ asked_of_plan(depths='[coalesce(pool_depth, 1)]') }},

{{ judged_of_plan() }},

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
        judged_documents.doc_key
    from judged_documents
    inner join asked_topics on judged_documents.topic_key = asked_topics.topic_key
    where pool_depth is null
    union
    select
        asked_topics.collection_key,
        asked_topics.topic_key,
        asked_topics.topic_id,
        contributions.doc_key
    from contributions
    inner join asked_topics on contributions.topic_key = asked_topics.topic_key
    where pool_depth is not null

),

-- one row per topic that has a pool: number of documents that are drawn, and number of documents in the pool
totals as (

    select
        topic_key,
        count(*) as n_judged,
        {{ n_drawn('count(*)', 'share') }} as n_relevant
    from pool_documents
    group by topic_key

),

-- one row per repetition, topic and document that is drawn
drawn as (

    select
        draws.repetition,
        pool_documents.topic_key,
        pool_documents.doc_key
    from draws
    cross join pool_documents
    inner join documents
        on
            pool_documents.collection_key = documents.collection_key
            and pool_documents.doc_key = documents.doc_key
    inner join totals on pool_documents.topic_key = totals.topic_key
    qualify
        row_number() over (
            partition by draws.repetition, pool_documents.topic_key
            order by
                {{ lot('seed', [
                    "'pseudo-qrels'", 'draws.repetition', 'pool_documents.topic_id', 'documents.doc_id'
                ]) }}
        ) <= totals.n_relevant

),

-- one row per run, topic and document of the pool that the run contains, counted from the top
found as (

    select
        rankings.run_key,
        rankings.topic_key,
        rankings.doc_key,
        rankings.rank,
        row_number() over (partition by rankings.run_key, rankings.topic_key order by rankings.rank) as nth_judged
    from asked_collection
    inner join rankings on asked_collection.collection_key = rankings.collection_key
    inner join pool_documents
        on
            rankings.topic_key = pool_documents.topic_key
            and rankings.doc_key = pool_documents.doc_key

),

-- one row per repetition, run, topic and document that counts as relevant there; all have grade 1
relevant as (

    select
        drawn.repetition,
        found.run_key,
        found.topic_key,
        found.rank,
        found.nth_judged,
        0 as nth_pooled_unjudged,
        true as is_relevant,
        1 as grade,
        1 as gain
    from found
    inner join drawn
        on
            found.topic_key = drawn.topic_key
            and found.doc_key = drawn.doc_key

),

counted as (

    select
        *,
        {{ gain_counting_columns([]) }}
    from relevant
    window ranking as (partition by repetition, run_key, topic_key order by rank)

),

-- one row per rank of the longest ideal ranking, which has a relevant document at each rank
ideal as (

    select
        rank,
        sum({{ discounted_gain('rank', '1') }}) over (order by rank) as discounted_gain_so_far
    from range(1, (select max(totals.n_relevant) from totals) + 1) as ranks (rank)

),

{{ answers_of_plan() }},

-- one row per repetition, run and topic, with the totals of the topic
grid as (

    select
        cast(row_number() over () as integer) as cell_key,
        draws.repetition,
        every_run.run_key,
        every_run.run_id,
        totals.topic_key,
        answers.topic_key is not null as is_answered,
        totals.n_judged,
        totals.n_relevant,
        totals.n_relevant as n_gainful,
        1 as highest_grade,
        1 as highest_grade_of_collection,
        ideal.discounted_gain_so_far as ideal_dcg
    from draws
    cross join every_run
    cross join totals
    inner join ideal on least(totals.n_relevant, {{ asked_cutoff('asked') }}) = ideal.rank
    left join answers
        on
            every_run.run_key = answers.run_key
            and totals.topic_key = answers.topic_key

),

-- the relevant documents of each; one empty row where there are none
cells as (

    select
        grid.*,
        counted.* exclude (repetition, run_key, topic_key),
        least(counted.rank, grid.n_gainful) as ideal_gain_so_far
    from grid
    left join counted
        on
            grid.repetition = counted.repetition
            and grid.run_key = counted.run_key
            and grid.topic_key = counted.topic_key

),

-- one row per repetition, run and topic
topic_scores as (

    select
        grid.repetition,
        grid.run_key,
        grid.run_id,
        grid.topic_key,
        grid.is_answered,
        measured.score
    from grid
    inner join {{ ref('int_measured_gains') }}(asked, 'cells') as measured on grid.cell_key = measured.cell_key

),

-- one row per repetition and run
scores as (

    select
        topic_scores.repetition,
        topic_scores.run_key,
        topic_scores.run_id,
        {{ over_topics('topic_scores.score', 'measures.aggregation', 'topic_scores.is_answered') }} as score,
        {{ over_topics('topic_scores.score', 'measures.aggregation', 'true') }} as score_all_topics,
        cast(count(*) filter (where topic_scores.is_answered) as integer) as n_topics
    from topic_scores
    -- an outer join, so that an error about the arguments is raised and not joined away
    left join measures on measures.name = {{ asked_name('asked') }}
    group by
        topic_scores.repetition,
        topic_scores.run_key,
        topic_scores.run_id

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
    from scores
    group by run_id

)

select * from named
