{{ config(arguments=['collection', 'asked_population', 'width', 'first_sample', 'last_sample', 'seed']) }}

with

populations as (

    select populations.*
    from {{ ref('int_populations') }} as populations
    inner join {{ ref('int_collections') }} as collections using (collection_key)
    where
        collections.collection_id = collection
        and populations.population = asked_population

),

samples as (

    select cast(sample as integer) as sample
    from range(first_sample, last_sample + 1) as numbers (sample)

),

-- one row per sample and run of the population. The random numbers do not depend on the width: a wider sample is
-- the narrower sample and more runs, so that widths are compared on the same draws.
lots as (

    select
        samples.sample,
        populations.run_key,
        populations.may_be_unpooled,
        populations.may_be_pooled,
        {{ lot('seed', ["'run'", 'samples.sample', 'populations.run_id']) }} as lot
    from samples
    cross join populations

),

-- one row per sample: the run that is not pooled
unpooled as (

    select
        sample,
        min_by(run_key, lot) as run_key
    from lots
    where may_be_unpooled
    group by sample

),

-- one row per sample and run of its pool
pooled as (

    select
        lots.sample,
        lots.run_key
    from lots
    inner join unpooled
        on
            lots.sample = unpooled.sample
            and lots.run_key <> unpooled.run_key
    where lots.may_be_pooled
    qualify row_number() over (partition by lots.sample order by lots.lot) <= width

),

drawn as (

    select
        sample,
        run_key,
        'unpooled' as role
    from unpooled
    union all
    select
        sample,
        run_key,
        'pooled' as role
    from pooled

)

select * from drawn
