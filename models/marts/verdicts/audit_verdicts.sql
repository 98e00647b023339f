with

{{ imports('int_collections', 'int_verdicts', rules='verdict_rules') }},

named as (

    select
        collections.collection_id,
        verdicts.position,
        verdicts.rule_id,
        verdicts.figure,
        rules.unit,
        rules.is_better,
        rules.passes_at,
        rules.fails_at,
        rules.is_essential,
        coalesce(verdicts.outcome, 'not told') as outcome,
        verdicts.finding,
        verdicts.run_id,
        rules.reason,
        rules.source
    from verdicts
    inner join collections using (collection_key)
    inner join rules using (rule_id)

)

select * from named
