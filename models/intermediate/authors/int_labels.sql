with

{{ imports('int_judgements', 'int_author_judgements') }},

-- the judgements of all authors; the reference has key 0
labels as (

    select
        collection_key,
        0 as author_key,
        topic_key,
        doc_key,
        grade,
        grade as reference_grade,
        is_judged,
        is_relevant
    from judgements
    union all
    select
        collection_key,
        author_key,
        topic_key,
        doc_key,
        grade,
        reference_grade,
        is_judged,
        is_relevant
    from author_judgements

)

select * from labels
