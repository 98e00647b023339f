with

{{ imports('stg_runs', 'stg_run_lines', 'stg_qrels', 'stg_collections') }},

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

-- lines of these runs and of the qrels
lines as (

    select
        suspects.collection_key,
        'run' as file_kind,
        suspects.run_id as file_name,
        run_lines.topic_id,
        run_lines.doc_id,
        run_lines.score as value
    from run_lines
    inner join suspects using (run_key)
    union all
    select
        collection_key,
        'qrels' as file_kind,
        'qrels' as file_name,
        topic_id,
        doc_id,
        written_grade as value
    from qrels

),

-- topics and documents that have more than one line in a file
repeated as (

    select
        collection_key,
        file_kind,
        file_name,
        topic_id,
        doc_id,
        cast(count(*) as integer) as n_lines,
        cast(min(value) as double) as lowest_value,
        cast(max(value) as double) as highest_value
    from lines
    group by all
    having count(*) > 1

),

named as (

    select
        collections.collection_id,
        repeated.* exclude (collection_key)
    from repeated
    inner join collections using (collection_key)

)

select * from named
