with

{{ imports('int_pool_rankings', 'int_candidates') }},

-- the documents of each candidate that the whole pool, itself included, has judged
candidate_rankings as (

    select pool_rankings.*
    from pool_rankings
    inner join candidates
        on
            pool_rankings.collection_key = candidates.collection_key
            and pool_rankings.pool_key = candidates.pool_key
            and pool_rankings.run_key = candidates.run_key

)

select * from candidate_rankings
