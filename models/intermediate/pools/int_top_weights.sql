with

measure_weights as (

    select * from {{ ref('int_measure_weights') }}

),

measures as (

    select distinct measure from measure_weights

),

numbers as (

    select cast(n_top as integer) as n_top
    from range(1, {{ deepest_cutoff() }} + 1) as listed (n_top)

),

-- one row per measure and number of documents: what these weigh as the first of a ranking. Below the cutoff they
-- weigh nothing.
top_weights as (

    select
        measures.measure,
        numbers.n_top,
        sum(coalesce(measure_weights.weight, 0)) over (
            partition by measures.measure
            order by numbers.n_top
        ) as weight
    from measures
    cross join numbers
    left join measure_weights
        on
            measures.measure = measure_weights.measure
            and numbers.n_top = measure_weights.rank

)

select * from top_weights
