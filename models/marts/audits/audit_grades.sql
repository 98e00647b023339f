with

{{ imports('stg_qrels', 'stg_collections') }},

-- one row per collection and grade
counted as (

    select
        collections.collection_id,
        qrels.written_grade as relevance,
        cast(count(*) as bigint) as n_lines,
        qrels.written_grade between least({{ lowest_grade() }}, collections.judged_from) and collections.highest_grade
            as is_on_scale
    from qrels
    inner join collections using (collection_key)
    group by all

)

select * from counted
