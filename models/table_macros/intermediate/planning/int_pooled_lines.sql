{{ config(arguments=['collection', 'strategy', 'of_runs', 'is_of_every_topic']) }}

with

{{ imports('int_rankings', 'int_documents', run_lines='stg_run_lines') }},

planned_runs as (

    select * from {{ ref('int_planned_runs') }}(collection, of_runs, false)

),

{{ topics_of_plan('is_of_every_topic') }},

-- the rankings of the runs of the pool, in pooling order
planned_rankings as (

    select
        rankings.collection_key,
        rankings.topic_key,
        rankings.doc_key,
        rankings.run_key,
        rankings.pooling_rank as rank
    from planned_runs
    inner join rankings using (collection_key, run_key)
    inner join asked_topics using (topic_key)

),

-- one row per run and topic that it answers. Only the strategy that reads lengths has rows.
lengths as (

    select
        run_key,
        topic_key,
        max(rank) as list_length
    from planned_rankings
    where strategy = 'borda'
    group by all

),

-- one row per run, topic and document with its score. Only strategies that read scores have rows.
scored as (

    select
        run_lines.run_key,
        topics.topic_key,
        documents.doc_key,
        max(run_lines.score) as score
    from planned_runs
    inner join run_lines using (run_key)
    inner join topics
        on
            run_lines.collection_key = topics.collection_key
            and run_lines.topic_id = topics.topic_id
    inner join documents
        on
            run_lines.collection_key = documents.collection_key
            and run_lines.doc_id = documents.doc_id
    where starts_with(strategy, 'comb_')
    group by all

),

-- the same rows with the score from 0, the lowest of the list, to 1, the highest; 1 where all scores are equal
normalized as (

    select
        run_key,
        topic_key,
        doc_key,
        -- halves, because the difference of the largest numbers has no value
        coalesce(
            (score / 2 - min(score) over of_list / 2)
            / nullif(max(score) over of_list / 2 - min(score) over of_list / 2, 0),
            1
        ) as normalized_score
    from scored
    window of_list as (partition by run_key, topic_key)

),

-- the rankings with their scores and lengths, where the strategy reads them
lines as (

    select
        planned_rankings.*,
        lengths.list_length,
        cast(null as double) as normalized_score
    from planned_rankings
    left join lengths using (run_key, topic_key)
    where not starts_with(strategy, 'comb_')
    union all
    select
        planned_rankings.*,
        cast(null as integer) as list_length,
        normalized.normalized_score
    from planned_rankings
    inner join normalized using (run_key, topic_key, doc_key)
    where starts_with(strategy, 'comb_')

)

select * from lines
