{{ config(arguments=['collection', 'common_table']) }}

with

{{ imports('int_collections', 'stg_leave_out_pairs') }},

lines as (

    select
        cast(judgements_of_run.query as varchar) as topic_id,
        cast(judgements_of_run.docno as varchar) as doc_id,
        {{ counted_grade('cast(judgements_of_run.grade as integer)', 'collections.judged_from') }} as grade
    from query_table(common_table) as judgements_of_run
    inner join collections on collections.collection_id = collection
    anti join leave_out_pairs
        on
            collections.collection_key = leave_out_pairs.collection_key
            and cast(judgements_of_run.query as varchar) = leave_out_pairs.topic_id
            and cast(judgements_of_run.docno as varchar) = leave_out_pairs.doc_id

),

-- one row per topic and document that is judged for the run; of several grades, the highest counts
graded as (

    select
        topic_id,
        doc_id,
        max(grade) as grade
    from lines
    where {{ is_judged('grade') }}
    group by
        topic_id,
        doc_id

),

-- the same rows with the meaning of the grade in the collection
classified as (

    select
        graded.topic_id,
        graded.doc_id,
        graded.grade,
        {{ is_relevant('graded.grade', 'collections.relevance_threshold') }} as is_relevant
    from graded
    inner join collections on collections.collection_id = collection

)

select * from classified
