with

{{ imports(
    organizations='audit_organizations where ' ~ is_named_at_hand(),
    losses='fct_unique_relevant_losses where ' ~ is_named_at_hand()
) }},

-- one row per organization with pooled runs whose AP is known
losing as (

    select
        collection_id,
        organization,
        count_if(is_flagged) as n_flagged_runs,
        max(loss_in_percent_of_full_score) filter (where is_above_floor) as largest_loss_in_percent_of_full_score
    from losses
    where
        is_pooled
        and measure = 'AP'
        and unjudged = 'nonrelevant'
    group by
        collection_id,
        organization

),

-- one row per collection
figures as (

    select
        collection_id,
        {{ figures(counted(
            'has_several_pooled_runs', 'has_several_pooled_runs', naming=['organization'], has_share=true
        )) }}
    from organizations
    group by collection_id
    union all
    select
        collection_id,
        {{ figures(counted(
            'runs_lose_little_with_unique_relevant', 'n_flagged_runs = 0',
            naming=['organization', 'n_flagged_runs'], seen=['largest_loss_in_percent_of_full_score']
        )) }}
    from losing
    group by collection_id

)

select * from figures
