{{ config(materialized='table') }}

with

{{ imports('int_rank_steps', voters='int_depth_voters where has_vote') }},

-- one row per run that has a vote and rank d, with its documents down to that rank
cumulated as (

    select
        rank_steps.*,
        sum(rank_steps.n_documents) over down_to_rank as n_above,
        sum(rank_steps.n_in_qrels) over down_to_rank as n_above_in_qrels
    from rank_steps
    inner join voters using (run_key)
    window down_to_rank as (
        partition by rank_steps.run_key
        order by rank_steps.pooling_rank
        rows between unbounded preceding and current row
    )

),

-- the same rows for the depth of the collection (of_run_key is null), and again for a run that may have its own
weighed as (

    select
        *,
        null as of_run_key
    from cumulated
    union all
    select
        cumulated.*,
        cumulated.run_key as of_run_key
    from cumulated
    inner join voters using (run_key)
    where voters.may_have_own_depth

),

-- one row per collection or run, and rank d after which a list continues. The expected number of pools of depth d is
-- proportional to 1 / d, so pools of depth 1 to 10, 10 to 100 and 100 to 1,000 are equally likely.
ranks as (

    select
        collection_key,
        of_run_key,
        pooling_rank,
        1 / pooling_rank / sum(1 / pooling_rank) over (partition by collection_key, of_run_key) as prior_share
    from weighed
    where n_pairs > 0
    group by
        collection_key,
        of_run_key,
        pooling_rank

),

-- one row per collection or run, and rank d, over the runs that look pooled down to d: the qrels contain nearly d of
-- their first d + 1 documents. Ranks d and d + 1 count alike, so that runs are not selected by the drop that is tested.
compared as (

    select
        collection_key,
        of_run_key,
        pooling_rank,
        count(*) as n_runs,
        sum(n_pairs) as n_pairs,
        sum(n_falls) as n_falls,
        sum(n_rises) as n_rises,
        sum(n_above_in_qrels) as n_above_in_qrels,
        sum(n_above) as n_above,
        sum(n_next_in_qrels) as n_next_in_qrels
    from weighed
    where
        n_pairs > 0
        and {{ is_judged_enough('(n_above_in_qrels + n_next_in_qrels)', 'n_above') }}
    group by all

),

-- the same rows, and whether the drop makes rank d a candidate
drops as (

    select
        compared.*,
        ranks.prior_share,
        {{ drop_likelihood_ratio('compared.n_falls', 'compared.n_rises') }} as likelihood_ratio,
        {{ is_drop_enough('compared.n_falls', 'compared.n_rises', 'compared.n_pairs') }}
        and {{ is_judged_enough('compared.n_above_in_qrels', 'compared.n_above') }} as is_candidate
    from compared
    inner join ranks
        on
            compared.collection_key = ranks.collection_key
            and compared.of_run_key is not distinct from ranks.of_run_key
            and compared.pooling_rank = ranks.pooling_rank

),

-- the same rows with the logarithm of their weight, where no drop at all has weight 1
weighted as (

    select
        *,
        case when is_candidate then likelihood_ratio / 2 + ln(prior_share) end as weight
    from drops

),

-- the same weights divided by the largest weight, which may be too large for a number
scaled as (

    select
        *,
        exp(weight - greatest(max(weight) over of_subject, 0)) as scaled_weight,
        exp(-greatest(max(weight) over of_subject, 0)) as scaled_weight_of_none
    from weighted
    window of_subject as (partition by collection_key, of_run_key)

),

evidence as (

    select
        collection_key,
        of_run_key,
        cast(pooling_rank as integer) as depth,
        cast(n_runs as integer) as n_runs,
        cast(n_falls as bigint) as n_falls,
        cast(n_rises as bigint) as n_rises,
        cast(n_above_in_qrels / n_above as double) as share_above,
        cast(n_next_in_qrels / n_pairs as double) as share_below,
        cast((n_falls - n_rises) / n_pairs as double) as share_drop,
        {{ comparable('likelihood_ratio') }} as likelihood_ratio,
        case
            when is_candidate
                then {{ comparable('scaled_weight / (scaled_weight_of_none + sum(scaled_weight) over of_subject)') }}
            else 0
        end as probability
    from scaled
    window of_subject as (partition by collection_key, of_run_key)

)

select * from evidence
