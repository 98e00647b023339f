with

{{ imports('stg_collections', 'reject_reasons', rejected_lines='raw.rejected_lines') }},

named as (

    select
        collections.collection_id,
        rejected_lines.kind as file_kind,
        rejected_lines.name as file_name,
        rejected_lines.line_number,
        rejected_lines.reason,
        reject_reasons.meaning as reason_meaning,
        rejected_lines.text as line_text
    from rejected_lines
    inner join collections using (collection_key)
    left join reject_reasons using (reason)

)

select * from named
