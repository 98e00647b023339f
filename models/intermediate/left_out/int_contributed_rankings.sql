with

{{ imports('int_judged_rankings', judgements='int_contributed_judgements') }},

-- the documents of every ranking that are in the qrels, with their only contributors
contributed as (

    select
        judged_rankings.*,
        judgements.sole_run_key,
        judgements.sole_organization_key,
        judgements.sole_relevant_organization_key
    from judged_rankings
    inner join judgements
        on
            judged_rankings.collection_key = judgements.collection_key
            and judged_rankings.topic_key = judgements.topic_key
            and judged_rankings.doc_key = judgements.doc_key

)

select * from contributed
