with

{{ imports(
    'int_collections', 'int_runs', 'int_pooled_states', 'int_pool_parts',
    changes="int_score_changes where judgement_set = 'without_unique_relevant'"
) }},

-- one row: the largest loss that is not flagged
largest as (

    select passes_at as loss
    from {{ ref('verdict_rules') }}
    where rule_id = 'largest_unique_change'

),

-- one row per run, treatment and measure: the loss, where enough of the pool is loaded to know what others found
known as (

    select
        changes.* replace (
            {{ if_others_are_known('changes.score') }} as score,
            {{ if_others_are_known('changes.loss_in_percent_of_full_score') }} as loss_in_percent_of_full_score
        )
    from changes
    inner join pool_parts using (collection_key)

),

-- the same rows, and whether the loss is large
flagged as (

    select
        collections.collection_id,
        runs.run_id,
        runs.organization,
        runs.run_type,
        pooled_states.is_pooled,
        known.unjudged,
        known.measure,
        known.full_score,
        known.score as score_without_unique_relevant,
        known.loss_in_percent_of_full_score,
        known.is_above_floor,
        known.is_above_floor
        and {{ comparable('known.loss_in_percent_of_full_score') }} > largest.loss as is_flagged
    from known
    cross join largest
    inner join collections using (collection_key)
    inner join runs using (run_key)
    inner join pooled_states using (run_key)

)

select * from flagged
