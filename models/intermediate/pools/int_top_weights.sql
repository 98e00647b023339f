with

{{ imports('int_measure_weights') }},

numbers as (

    select cast(n_top as integer) as n_top
    from range(1, {{ deepest_cutoff() }} + 1) as listed (n_top)

),

-- one row per measure and number of documents: the weight of that many documents at the top of a ranking
top_weights as (

    select
        measure_weights.measure,
        numbers.n_top,
        sum(measure_weights.weight) as weight
    from measure_weights
    inner join numbers on measure_weights.rank <= numbers.n_top
    group by all

)

select * from top_weights
