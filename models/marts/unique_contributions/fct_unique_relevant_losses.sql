with

{{ imports(
    'int_collections', 'int_runs', 'int_pooled_states',
    changes="int_score_changes where judgement_set = 'without_unique_relevant'"
) }},

-- one row: the largest loss that is not flagged
largest as (

    select passes_at as loss
    from {{ ref('verdict_rules') }}
    where rule_id = 'largest_unique_change'

),

-- one row per run, treatment and measure: the loss, and whether it is large
flagged as (

    select
        collections.collection_id,
        runs.run_id,
        runs.organization,
        runs.run_type,
        pooled_states.is_pooled,
        changes.unjudged,
        changes.measure,
        changes.full_score,
        changes.score as score_without_unique_relevant,
        changes.loss_in_percent_of_full_score,
        changes.is_above_floor,
        changes.is_above_floor
        and {{ comparable('changes.loss_in_percent_of_full_score') }} > largest.loss as is_flagged
    from changes
    cross join largest
    inner join collections using (collection_key)
    inner join runs using (run_key)
    inner join pooled_states using (run_key)

)

select * from flagged
