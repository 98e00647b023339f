with

{{ imports(
    'int_collections', 'int_organizations', 'int_organization_scores', 'int_unique_contributions',
    counts='audit_organizations'
) }},

-- one row per collection and organization
described as (

    select
        organizations.organization,
        collections.track,
        collections.year,
        collections.task,
        collections.collection_id,
        counts.n_runs,
        counts.n_pooled_runs,
        organization_scores.best_run_id,
        cast(organization_scores.best_score as double) as best_ap,
        cast(organization_scores.median_score as double) as median_ap,
        cast(organization_scores.relative_best_score as double) as relative_best_ap,
        cast(organization_scores.relative_median_score as double) as relative_median_ap,
        cast(organization_scores.best_rank as integer) as best_rank,
        case when counts.n_pooled_runs > 0 then cast(coalesce(unique_contributions.n_unique_judged, 0) as bigint) end
            as n_unique_judged,
        case when counts.n_pooled_runs > 0 then cast(coalesce(unique_contributions.n_unique_relevant, 0) as bigint) end
            as n_unique_relevant
    from organizations
    inner join collections on organizations.collection_key = collections.collection_key
    inner join counts
        on
            collections.collection_id = counts.collection_id
            and organizations.organization = counts.organization
    left join organization_scores
        on
            organizations.collection_key = organization_scores.collection_key
            and organizations.organization = organization_scores.organization
    left join unique_contributions
        on
            organizations.collection_key = unique_contributions.collection_key
            and organizations.organization_key = unique_contributions.organization_key

),

-- the same rows with the previous collection in which the organization took part
drifted as (

    select
        *,
        {{ before('collection_id') }} as previous_collection_id,
        relative_best_ap - {{ before('relative_best_ap') }} as relative_best_ap_drift
    from described
    window campaign as {{ campaign_window(['organization']) }}

)

select * from drifted
