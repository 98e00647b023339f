{{ config(arguments=['collection', 'of_runs', 'is_of_every_run']) }}
-- noqa: disable=ST02

with

{{ imports('int_runs', 'int_pooled_states') }},

{{ collection_of_plan() }},

-- one row per run of the collection: whether it is in the pool. The pool has the requested runs. Without a request
-- it has the pooled runs, and where nothing is judged yet the declared runs, or all runs where none is declared.
candidates as (

    select
        runs.collection_key,
        runs.run_key,
        runs.run_id,
        runs.organization_key,
        runs.organization,
        case
            when of_runs is not null then list_contains(of_runs, runs.run_id)
            when is_of_every_run then true
            else coalesce(pooled_states.is_pooled, not asked_collection.is_judged)
        end as is_planned
    from asked_collection
    inner join runs using (collection_key)
    inner join pooled_states using (run_key)

),

asked_runs as (

    select unnest(cast(of_runs as varchar[])) as run_id

),

-- one row: a requested run that does not exist, if there is one
strangers as (

    select min(asked_runs.run_id) as run_id
    from asked_runs
    left join candidates using (run_id)
    where candidates.run_id is null

),

-- one row: the number of runs of the pool; or an error
counted as (

    select
        case
            when max(strangers.run_id) is not null
                then error(
                    'run ''' || max(strangers.run_id) || ''' is not in '''
                    || max(asked_collection.collection_id) || ''''
                )
            when count(candidates.run_key) = 0
                then error(
                    'no run of ''' || max(asked_collection.collection_id)
                    || ''' is pooled: name some (of_runs := ...)'
                )
            else count(candidates.run_key)
        end as n_runs
    from strangers
    cross join asked_collection
    left join candidates on candidates.is_planned

),

-- one row per run of the pool
planned_runs as (

    select
        candidates.collection_key,
        candidates.run_key,
        candidates.run_id,
        candidates.organization_key,
        candidates.organization,
        cast(counted.n_runs as integer) as n_runs
    from counted
    inner join candidates on counted.n_runs > 0
    where candidates.is_planned

)

select * from planned_runs
