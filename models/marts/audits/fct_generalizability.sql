with

{{ imports('int_collections', coefficients='int_generalizability') }},

named as (

    select
        collections.collection_id,
        coefficients.measure,
        coefficients.n_runs,
        coefficients.n_topics,
        coefficients.run_variance,
        coefficients.topic_variance,
        coefficients.residual_variance,
        coefficients.generalizability,
        coefficients.dependability
    from coefficients
    inner join collections using (collection_key)

)

select * from named
