{{ config(arguments=['collection', 'pool_depth', 'cutoffs := ' ~ assessment_cutoffs(), 'of_runs := null']) }}

with

{{ imports('int_rankings') }},

planned_runs as (

    select * from {{ ref('int_planned_runs') }}(collection, of_runs, false)

),

every_run as (

    select * from {{ ref('int_planned_runs') }}(collection, null, true)

),

contributions as (

    select * from {{ ref('int_planned_contributions') }}(collection, [pool_depth], of_runs, false)

),

{{ asked_of_plan(depths='[pool_depth]') }},

{{ asked_ranks('cutoff', 'cutoffs') }},

-- the requested cutoffs, and the depth of the pool
asked_cutoffs as (

    select cutoff from distinct_cutoffs
    union
    select depth as cutoff from asked_depths

),

-- one row per topic and document of the pool
documents as (

    select distinct
        topic_key,
        doc_key
    from contributions

),

{{ answers_of_plan() }},

-- one row per run, topic and document of the pool that the run has down to the last cutoff
assessed as (

    select
        rankings.run_key,
        rankings.topic_key,
        rankings.rank
    from asked_collection
    inner join rankings using (collection_key)
    inner join documents using (topic_key, doc_key)
    where rankings.rank <= greatest(list_max(cast(cutoffs as bigint[])), pool_depth)

),

-- one row per run, topic and cutoff with a document of the pool
counts as (

    select
        assessed.run_key,
        assessed.topic_key,
        asked_cutoffs.cutoff,
        count(*) as n_assessed
    from assessed
    inner join asked_cutoffs on assessed.rank <= asked_cutoffs.cutoff
    group by all

),

-- one row per run, topic of the pool and cutoff
shares as (

    select
        every_run.run_key,
        every_run.run_id,
        every_run.organization,
        asked_topics.topic_id,
        asked_cutoffs.cutoff,
        answers.topic_key is not null as is_answered,
        coalesce(counts.n_assessed, 0) / asked_cutoffs.cutoff as assessment
    from every_run
    cross join asked_topics
    cross join asked_cutoffs
    left join answers using (run_key, topic_key)
    left join counts using (run_key, topic_key, cutoff)

),

-- one row per run and cutoff
run_shares as (

    select
        run_key,
        run_id,
        organization,
        cutoff,
        cast(count(*) filter (where is_answered) as integer) as n_topics,
        avg(assessment) filter (where is_answered) as assessment,
        avg(assessment) as assessment_all_topics,
        min(assessment) filter (where is_answered) as lowest_assessment,
        min_by(topic_id, row(assessment, topic_id)) filter (where is_answered) as lowest_topic_id
    from shares
    group by all

),

-- the same rows with the figures of the other runs, and of the run at the depth of the pool
compared as (

    select
        run_shares.*,
        planned_runs.run_key is not null as is_planned,
        -- a run that answers none of the topics is not counted
        (sum(run_shares.assessment) over of_cutoff - coalesce(run_shares.assessment, 0))
        / nullif(
            count(run_shares.assessment) over of_cutoff - cast(run_shares.assessment is not null as integer), 0
        ) as others_assessment,
        max(run_shares.assessment) filter (where run_shares.cutoff = asked_depths.depth) over of_run
            as assessment_at_depth,
        asked_depths.depth
    from run_shares
    cross join asked_depths
    left join planned_runs using (run_key)
    window
        of_cutoff as (partition by run_shares.cutoff),
        of_run as (partition by run_shares.run_key)

),

-- one row per run and cutoff
named as (

    select
        collection as collection_id,
        run_id,
        depth,
        cutoff,
        organization,
        is_planned,
        n_topics,
        assessment,
        assessment_all_topics,
        lowest_topic_id,
        lowest_assessment,
        others_assessment,
        assessment - others_assessment as difference,
        assessment_at_depth - assessment as drop_off
    from compared

)

select * from named
