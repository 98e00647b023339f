with

{{ imports('int_topic_first_ranks') }},

summed_up as (

    select
        collection_key,
        run_key,
        sum(n_documents) as n_documents,
        sum(n_unjudged) as n_unjudged,
        sum(n_unjudged_without_organization) as n_unjudged_without_organization
    from topic_first_ranks
    group by all

)

select * from summed_up
