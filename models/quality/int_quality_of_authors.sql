with

{{ imports(authors='audit_authors where ' ~ is_named_at_hand()) }},

-- one row per collection with other authors than the reference
figures as (

    select
        collection_id,
        {{ figures(counted(
            'authors_may_be_used', "verdict <> 'may not be used'", naming=['author', 'failures']
        )) }}
    from authors
    group by collection_id

)

select * from figures
