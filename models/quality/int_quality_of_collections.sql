with

{{ imports(
    'verdict_rules',
    audited='audit_collections where ' ~ is_named_at_hand(),
    described='dim_collections where ' ~ is_named_at_hand()
) }},

-- one row per collection. Both shares outside the pool are as small as the verdict asks; a collection can be used for
-- runs outside its pool where it has a verdict that says so.
collections as (

    select
        audited.*,
        described.topics_caveat,
        described.n_judgements,
        described.n_relevant,
        greatest(audited.share_judged_outside_pool, audited.share_relevant_outside_pool)
        <= 1 - rules.passes_at / 100 as is_of_the_pool,
        case
            when audited.verdict not in ('cannot be told', 'not judged yet') then audited.verdict <> 'not reusable'
        end as is_reusable,
        case when described.is_judged then described.topics_caveat is null end as is_judged_on_all_topics,
        case when described.is_judged then described.n_relevant between 1 and described.n_judgements - 1 end
            as has_both_kinds
    from audited
    inner join described using (collection_id)
    inner join verdict_rules as rules on rules.rule_id = 'pool_explains'

),

-- one row per collection and figure
figures as (

    select
        collection_id,
        {{ figures(
            values_of('in_qrels_share_kept'),
            values_of('depth_ratio'),
            counted(
                'judgements_are_of_the_pool', 'is_of_the_pool', naming=[],
                seen=['share_judged_outside_pool', 'share_relevant_outside_pool']
            ),
            counted('collections_are_reusable', 'is_reusable', naming=['verdict', 'verdict_reasons']),
            counted('all_topics_have_judgements', 'is_judged_on_all_topics', naming=['topics_caveat']),
            counted('judgements_are_of_both_kinds', 'has_both_kinds', naming=['n_judgements', 'n_relevant'])
        ) }}
    from collections
    group by collection_id

)

select * from figures
