with

{{ imports(
    'int_collections', 'int_pool_parts', 'int_runs', 'fct_unique_contributions', counts='audit_organizations'
) }},

-- one row per organization, which is its first run
organizations as (

    select * from {{ ref('int_runs') }}
    where run_key = organization_key

),

run_scores as (

    select * from {{ ref('int_run_scores') }}
    where
        measure = 'AP'
        and unjudged = 'nonrelevant'

),

-- one row per run: its AP over all judged topics, compared with the other runs of the collection
compared as (

    select
        runs.organization_key,
        runs.run_id,
        run_scores.score_all_topics as score,
        max(run_scores.score_all_topics) over of_collection as best_of_collection,
        median(run_scores.score_all_topics) over of_collection as median_of_collection,
        rank() over (
            partition by run_scores.collection_key
            order by {{ comparable('run_scores.score_all_topics') }} desc
        ) as score_rank
    from run_scores
    inner join runs using (run_key)
    window of_collection as (partition by run_scores.collection_key)

),

-- one row per organization; of its best runs, the first by its id
scored as (

    select
        organization_key,
        min_by(run_id, (score_rank, run_id)) as best_run_id,
        max(score) as best_ap,
        median(score) as median_ap,
        max(score) / nullif(max(best_of_collection), 0) as relative_best_ap,
        median(score) / nullif(max(median_of_collection), 0) as relative_median_ap,
        cast(min(score_rank) as integer) as best_rank
    from compared
    group by organization_key

),

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
        scored.best_run_id,
        scored.best_ap,
        scored.median_ap,
        scored.relative_best_ap,
        scored.relative_median_ap,
        scored.best_rank,
        case
            when counts.n_pooled_runs > 0
                then cast({{ if_others_are_known('coalesce(unique_contributions.n_unique_judged, 0)') }} as bigint)
        end as n_unique_judged,
        case
            when counts.n_pooled_runs > 0
                then cast({{ if_others_are_known('coalesce(unique_contributions.n_unique_relevant, 0)') }} as bigint)
        end as n_unique_relevant
    from organizations
    inner join collections using (collection_key)
    inner join pool_parts using (collection_key)
    inner join counts using (collection_id, organization)
    left join scored using (organization_key)
    left join unique_contributions using (collection_id, organization)

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
