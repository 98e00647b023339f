with

{{ imports(
    collections='raw.collections where ' ~ is_at_hand(),
    files='ops.files where ' ~ is_at_hand()
) }},

-- one row per file with lines
shares as (

    select
        collections.collection_id,
        files.kind,
        files.name,
        files.n_rejected / files.n_lines as rejected_share
    from files
    inner join collections using (collection_key)
    where files.n_lines > 0

),

-- one row per file whose lines are told
figures as (

    select
        collection_id,
        {{ figures(values_of('rejected_share', object="kind || ' ' || name", naming=['kind', 'name'])) }}
    from shares
    group by collection_id

)

select * from figures
