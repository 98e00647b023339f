with

{{ imports('int_verdicts') }},

-- one row per judged collection: the verdict by its rules
verdicts_of_collections as (

    select
        collection_key,
        {{ verdict_of('outcome', 'is_essential') }} as verdict
    from verdicts
    group by collection_key

),

-- the same rows with the outcome of the findings behind the verdict
behind as (

    select
        *,
        {{ outcome_behind('verdict') }} as outcome
    from verdicts_of_collections

),

-- one row per judged collection and finding: rules without a figure often share their cause
findings as (

    select
        collection_key,
        outcome,
        case when outcome is null then finding else finding || ' (' || demand || ')' end as finding,
        string_agg(rule_id, ', ' order by position) as rule_ids,
        min(position) as position,
        bool_or(is_essential) as is_essential
    from verdicts
    group by all

),

-- the same rows, and whether the verdict rests on the finding
decided as (

    select
        findings.*,
        behind.verdict,
        coalesce(findings.outcome, 'not told') = coalesce(behind.outcome, 'not told')
        and (findings.outcome is not null or findings.is_essential) as is_reason
    from findings
    inner join behind using (collection_key)

),

-- one row per judged collection
reasons as (

    select
        collection_key,
        verdict,
        string_agg(finding, '; ' order by position) filter (where is_reason) as verdict_reasons,
        string_agg(rule_ids || ': ' || finding, '; ' order by position) filter (
            where outcome is null and not is_reason
        ) as not_told
    from decided
    group by all

)

select * from reasons
