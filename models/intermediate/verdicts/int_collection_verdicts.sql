with

verdicts as (

    select * from {{ ref('int_verdicts') }}

),

-- one row per judged collection: the verdict by its rules
verdicts_of_collections as (

    select
        collection_key,
        {{ verdict_of('outcome', 'is_essential') }} as verdict
    from verdicts
    group by collection_key

),

-- one row per judged collection: the findings that led to the verdict, and the rules without a figure
reasons as (

    select
        verdicts.collection_key,
        verdicts_of_collections.verdict,
        string_agg(verdicts.finding || ' (' || verdicts.demand || ')', '; ' order by verdicts.position) filter (
            where verdicts.outcome = {{ outcome_behind('verdicts_of_collections.verdict') }}
        ) as verdict_reasons,
        string_agg(verdicts.rule_id || ': ' || verdicts.finding, '; ' order by verdicts.position) filter (
            where verdicts.outcome is null
        ) as not_told
    from verdicts
    inner join verdicts_of_collections on verdicts.collection_key = verdicts_of_collections.collection_key
    group by
        verdicts.collection_key,
        verdicts_of_collections.verdict

)

select * from reasons
