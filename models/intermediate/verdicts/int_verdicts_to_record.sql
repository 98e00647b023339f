with

{{ imports(
    'int_collections', 'int_topic_counts', 'int_verdicts', 'int_collection_verdicts', rules='verdict_rules'
) }},

-- one row per collection and rule, whether the collection is judged or not
recorded as (

    select
        collections.collection_id,
        coalesce(collection_verdicts.verdict, 'not judged yet') as verdict,
        cast(coalesce(topic_counts.n_judged_topics, 0) as integer) as n_judged_topics,
        rules.rule_id,
        {{ comparable('verdicts.figure') }} as figure,
        coalesce(verdicts.outcome, 'not told') as outcome
    from collections
    cross join rules
    left join topic_counts using (collection_key)
    left join collection_verdicts using (collection_key)
    left join verdicts using (collection_key, rule_id)

)

select * from recorded
