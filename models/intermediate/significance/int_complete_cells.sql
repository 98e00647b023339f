with

{{ imports(
    'int_pooled_runs', 'int_run_topics', 'int_judged_topics', 'int_measure_weights',
    layouts='int_complete_layouts'
) }},

rankings as (

    select * from {{ ref('int_rankings') }}
    where rank <= {{ deepest_cutoff() }}

),

relevant_documents as (

    select * from {{ ref('int_judgements') }}
    where is_relevant

),

-- one row per collection, with the number of judged topics
n_judged_topics as (

    select
        collection_key,
        count(*) as n_topics
    from judged_topics
    group by collection_key

),

-- one row per pooled run that answers all of them
complete_runs as (

    select
        pooled_runs.collection_key,
        pooled_runs.run_key
    from pooled_runs
    inner join run_topics
        on
            pooled_runs.collection_key = run_topics.collection_key
            and pooled_runs.run_key = run_topics.run_key
    inner join n_judged_topics on pooled_runs.collection_key = n_judged_topics.collection_key
    group by all
    having count(*) = any_value(n_judged_topics.n_topics)

),

-- one row per layout, run and topic with a relevant document in the ranking
found as (

    select
        rankings.collection_key,
        layouts.layout_key,
        rankings.run_key,
        rankings.topic_key,
        sum(measure_weights.weight) as score
    from rankings
    inner join complete_runs
        on
            rankings.collection_key = complete_runs.collection_key
            and rankings.run_key = complete_runs.run_key
    inner join relevant_documents
        on
            rankings.collection_key = relevant_documents.collection_key
            and rankings.topic_key = relevant_documents.topic_key
            and rankings.doc_key = relevant_documents.doc_key
    inner join measure_weights on rankings.rank = measure_weights.rank
    inner join layouts on measure_weights.measure = layouts.measure
    group by all

),

-- one row per layout, run and topic: every cell, with the score with all qrels
cells as (

    select
        complete_runs.collection_key,
        layouts.layout_key,
        complete_runs.run_key,
        judged_topics.topic_key,
        coalesce(found.score, 0) as score
    from complete_runs
    inner join judged_topics on complete_runs.collection_key = judged_topics.collection_key
    cross join layouts
    left join found
        on
            complete_runs.collection_key = found.collection_key
            and layouts.layout_key = found.layout_key
            and complete_runs.run_key = found.run_key
            and judged_topics.topic_key = found.topic_key

)

select * from cells
