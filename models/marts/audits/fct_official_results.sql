with

{{ imports('int_collections', 'int_official_results') }},

named as (

    select
        collections.collection_id,
        official_results.run_id,
        official_results.title as results_title,
        official_results.label,
        official_results.line_number,
        official_results.value as published_score,
        official_results.n_decimals,
        official_results.measure,
        official_results.score,
        official_results.reading,
        official_results.reading_score,
        official_results.is_over_all_topics,
        official_results.trec_eval_version,
        official_results.status
    from official_results
    inner join collections using (collection_key)

)

select * from named
