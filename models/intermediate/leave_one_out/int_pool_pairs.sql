with

{{ imports('int_levels', 'int_candidates', 'int_pool_runs') }},

-- one row per pool, level, candidate and run that stays in the pool when the candidate has left it, with the keys
-- of what leaves and what stays: at level run the run, at level organization its organization
pairs as (

    select
        candidates.collection_key,
        candidates.pool_key,
        levels.level,
        candidates.run_key,
        candidates.is_scored,
        {{ contributor_at('levels.level', 'candidates') }} as candidate_contributor_key,
        pool_runs.run_key as member_run_key,
        {{ contributor_at('levels.level', 'pool_runs') }} as member_contributor_key
    from candidates
    inner join pool_runs using (collection_key, pool_key)
    cross join levels
    where
        {{ is_level_of('candidates') }}
        and {{ contributor_at('levels.level', 'candidates') }}
        <> {{ contributor_at('levels.level', 'pool_runs') }}

)

select * from pairs
