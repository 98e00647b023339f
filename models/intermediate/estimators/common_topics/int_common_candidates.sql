with

{{ imports('int_common_judgements') }},

judged_runs as (

    select distinct
        collection_key,
        run_key
    from common_judgements

),

-- two rows per run that was judged on common topics: for the qrels alone, and for the qrels with its own
-- judgements on these topics
candidates as (

    select
        collection_key,
        {{ qrels_pool_key() }} as pool_key,
        run_key,
        0 as organization_key
    from judged_runs
    union all
    select
        collection_key,
        {{ common_pool_key('run_key') }} as pool_key,
        run_key,
        0 as organization_key
    from judged_runs

)

select * from candidates
