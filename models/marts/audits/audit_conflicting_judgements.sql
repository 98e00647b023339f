with

{{ imports('stg_qrels', 'stg_collections') }},

-- topics and documents that the qrels judge more than once with different grades
conflicting as (

    select
        collection_key,
        topic_id,
        doc_id,
        min(grade) as lowest_grade,
        max(grade) as highest_grade,
        cast(count(*) as integer) as n_lines
    from qrels
    group by all
    having min(grade) <> max(grade)

),

named as (

    select
        collections.collection_id,
        conflicting.topic_id,
        conflicting.doc_id,
        conflicting.lowest_grade,
        conflicting.highest_grade,
        conflicting.n_lines
    from conflicting
    inner join collections using (collection_key)

)

select * from named
