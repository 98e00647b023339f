{{ config(materialized='table', meta={'rule': 'by_collection'}) }}

with

{{ imports('int_judgements', 'int_rankings') }},

-- documents of the qrels that no loaded run returns, at any rank
unretrieved as (

    select
        judgements.collection_key,
        judgements.topic_key,
        judgements.doc_key,
        judgements.grade
    from judgements
    where
        not exists (
            select 1
            from rankings
            where
                judgements.collection_key = rankings.collection_key
                and judgements.topic_key = rankings.topic_key
                and judgements.doc_key = rankings.doc_key
        )

)

select * from unretrieved
