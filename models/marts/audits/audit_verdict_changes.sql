with

{{ imports(verdict_history='ops.verdict_history') }},

-- one row per recorded build and rule, beside the one before it
compared as (

    select
        collection_id,
        built_at,
        lag(built_at) over by_rule as previously_built_at,
        lag(verdict) over by_rule as verdict_before,
        verdict,
        lag(n_judged_topics) over by_rule as n_judged_topics_before,
        n_judged_topics,
        rule_id,
        lag(figure) over by_rule as figure_before,
        figure,
        lag(outcome) over by_rule as outcome_before,
        outcome
    from verdict_history
    window by_rule as (partition by collection_id, rule_id order by built_at)

),

changed as (

    select *
    from compared
    where
        previously_built_at is not null
        and (
            verdict <> verdict_before
            or figure is distinct from figure_before
            or outcome <> outcome_before
        )

)

select * from changed
