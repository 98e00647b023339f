with

{{ imports('int_collections', 'int_runs', 'int_pooled_states') }},

-- one row per collection and organization
counted as (

    select
        collections.collection_id,
        runs.organization,
        cast(count(*) as integer) as n_runs,
        {{ count_if_known('pooled_states.is_pooled') }} as n_pooled_runs,
        case when count_if(pooled_states.is_pooled) > 0 then count_if(pooled_states.is_pooled) > 1 end
            as has_several_pooled_runs
    from runs
    inner join collections using (collection_key)
    inner join pooled_states using (run_key)
    group by all

)

select * from counted
