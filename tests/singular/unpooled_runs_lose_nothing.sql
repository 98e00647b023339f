-- Return scores of runs that were not pooled and that differ between judgement sets. Such a run contributed
-- nothing, so leaving it out changes nothing. The unique relevant documents of its organization leave with it,
-- where the organization has pooled runs. Where runs were pooled on some topics only, the sets have other topics.
with

run_scores as (

    select * from {{ ref('fct_run_scores') }}
    where
        {{ is_named_at_hand() }}
        and n_topics > 0

),

runs as (

    select * from {{ ref('dim_runs') }}
    where {{ is_named_at_hand() }}

),

partly_pooled as (

    select * from {{ ref('dim_collections') }}
    where
        {{ is_named_at_hand() }}
        and n_pooled_topics < n_topics

),

-- runs that were not pooled, and whether another run of their organization was pooled
unpooled_runs as (

    select
        collection_id,
        run_id,
        bool_or(is_pooled) over (partition by collection_id, organization) as is_group_pooled
    from runs
    anti join partly_pooled using (collection_id)
    qualify not is_pooled

),

-- scores of these runs, and whether the judgement set must leave nothing out
scored as (

    select
        run_scores.*,
        run_scores.judgement_set <> 'without_unique_relevant' or not unpooled_runs.is_group_pooled as is_full
    from run_scores
    inner join unpooled_runs
        on
            run_scores.collection_id = unpooled_runs.collection_id
            and run_scores.run_id = unpooled_runs.run_id

),

-- one row per such run, treatment and measure: the difference between scores that must be the same
compared as (

    select
        collection_id,
        run_id,
        unjudged,
        measure,
        count(distinct judgement_set) as n_judgement_sets,
        max(score) filter (where is_full) - min(score) filter (where is_full) as difference
    from scored
    group by
        collection_id,
        run_id,
        unjudged,
        measure

)

select *
from compared
where
    (difference <= 1e-9) is distinct from true
    or n_judgement_sets <> {{ judgement_sets() | length }}
