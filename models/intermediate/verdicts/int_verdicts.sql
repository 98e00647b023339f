with

{{ imports(
    'int_unknown_depths', 'int_collections where is_judged', rules='verdict_rules', figures='int_verdict_figures'
) }},

-- one row per judged collection and rule
judged as (

    select
        collections.collection_key,
        rules.position,
        rules.rule_id,
        rules.is_essential,
        figures.figure,
        figures.run_id,
        {{ outcome_of('figures.figure', 'rules') }} as outcome,
        case
            when figures.figure is null
                then coalesce(
                    unknown_depths.remark, replace(rules.not_told, '{}', '{{ least_pairs_of_an_order() }}')
                )
            else replace(
                replace(rules.finding, '{}', {{ number_in_words('figures.figure') }}),
                '{run}', coalesce(figures.run_id, '')
            )
        end as finding,
        rules.is_better,
        rules.passes_at,
        rules.fails_at
    from collections
    cross join rules
    left join figures using (collection_key, rule_id)
    left join unknown_depths using (collection_key)

),

-- the same rows, with the threshold of the rule in words
outcomes as (

    select
        judged.collection_key,
        judged.position,
        judged.rule_id,
        judged.is_essential,
        judged.figure,
        judged.run_id,
        judged.outcome,
        judged.finding,
        {{ demand_in_words('judged', 'judged.outcome') }} as demand
    from judged

)

select * from outcomes
