with

{{ imports(labels='audit_official_results where ' ~ is_named_at_hand()) }},

-- one row per collection; all figures of a label must be those of a reading
figures as (

    select
        collection_id,
        {{ figures(counted(
            'official_results_are_explained', 'is_explained and n_not_explained = 0',
            naming=['results_title', 'label', 'n_not_explained']
        )) }}
    from labels
    group by collection_id

)

select * from figures
