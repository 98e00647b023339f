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
    inner join collections using (collection_key)
    inner join runs using (run_key)

)

select * from named
