with

{{ imports('stg_runs', 'stg_run_lines', 'stg_collections') }},

-- runs that name a document twice, as counted when they were loaded; there are few, and the lines of other runs
-- need not be read
suspects as (

    select
        collection_key,
        run_key,
        run_id
    from runs
    where n_duplicates > 0

),

-- topics and documents that have more than one line in a run
repeated as (

    select
        suspects.collection_key,
        suspects.run_id,
        run_lines.topic_id,
        run_lines.doc_id,
        cast(count(*) as integer) as n_lines,
        max(run_lines.score) as best_score,
        min(run_lines.score) as lowest_score
    from run_lines
    inner join suspects using (run_key)
    group by all
    having count(*) > 1

),

named as (

    select
        collections.collection_id,
        repeated.run_id,
        repeated.topic_id,
        repeated.doc_id,
        repeated.n_lines,
        repeated.best_score,
        repeated.lowest_score
    from repeated
    inner join collections using (collection_key)

)

select * from named
