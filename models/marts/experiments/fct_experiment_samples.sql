with

{{ imports('int_collections', 'int_runs', samples='experiments.samples') }},

named as (

    select
        collections.collection_id,
        samples.experiment,
        samples.population,
        samples.width,
        samples.sample,
        runs.run_id,
        samples.role
    from samples
    inner join collections on samples.collection_key = collections.collection_key
    inner join runs on samples.run_key = runs.run_key

)

select * from named
