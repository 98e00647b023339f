with

ranks as (

    select cast(rank as integer) as rank
    from range(1, {{ deepest_cutoff() }} + 1) as numbers (rank)

),

-- rankings whose only relevant document is at this rank
lone_documents as (

    select
        rank,
        true as is_relevant
    from ranks

),

-- one row per rank, one column per measure
measured as (

    select
        rank,
        {{ measure_columns(var('bias_measures')) }}
    from lone_documents
    group by rank

),

unpivoted as (

    {{ unpivot_measures('measured', var('bias_measures')) }}

),

-- one row per measure and rank down to its cutoff. These measures add up over documents, so the score of one
-- relevant document is its weight in every ranking.
weights as (

    select
        measure,
        rank,
        score as weight
    from unpivoted
    where score > 0

)

select * from weights
