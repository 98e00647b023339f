with

{{ imports('int_collections', estimates='experiments.estimates') }},

named as (

    select
        collections.collection_id,
        estimates.experiment,
        estimates.population,
        estimates.width,
        estimates.sample,
        estimates.unjudged,
        estimates.measure,
        estimates.estimator,
        estimates.true_score,
        estimates.estimate,
        estimates.estimate - estimates.true_score as error
    from estimates
    inner join collections using (collection_key)

)

select * from named
