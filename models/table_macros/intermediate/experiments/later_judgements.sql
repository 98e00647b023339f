{{ config(arguments=['collection', 'given']) }}
-- The judgements of the table `given` (topic_id, doc_id and grade), as the collection counts grades.

with

{{ imports('int_collections', 'stg_leave_out_pairs') }},

lines as (

    select
        given_lines.topic_id,
        given_lines.doc_id,
        {{ counted_grade('given_lines.grade', 'collections.judged_from') }} as grade
    from query_table(given) as given_lines
    inner join collections on collections.collection_id = collection
    anti join leave_out_pairs
        on
            collections.collection_key = leave_out_pairs.collection_key
            and given_lines.topic_id = leave_out_pairs.topic_id
            and given_lines.doc_id = leave_out_pairs.doc_id

),

-- one row per topic and document that is judged; of several grades, the highest counts, as in the qrels
judged as (

    select
        topic_id,
        doc_id,
        max(grade) as grade
    from lines
    where {{ is_judged('grade') }}
    group by all

)

select * from judged
