with

{{ imports('int_pool_rankings', 'int_candidates') }},

-- the documents of each candidate that the whole pool, itself included, has judged
candidate_rankings as (

    select pool_rankings.*
    from pool_rankings
    inner join candidates using (collection_key, pool_key, run_key)

)

select * from candidate_rankings
