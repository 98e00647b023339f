with

{{ imports(
    'dim_collections', 'int_run_topics', 'int_pooled_runs', verdicts='int_collection_verdicts',
    unjudged_of_unpooled="int_verdict_figures where rule_id = 'unjudged_of_unpooled'"
) }},

collection_keys as (

    select
        collection_key,
        collection_id
    from {{ ref('int_collections') }}

),

judged_rankings as (

    select * from {{ ref('int_judged_rankings') }}
    where
        is_relevant is not null
        and rank <= 100

),

run_scores as (

    select * from {{ ref('int_run_scores') }}
    where
        measure in ('AP', 'P@10')
        and unjudged = 'nonrelevant'

),

left_out_scores as (

    select * from {{ ref('int_left_out_run_scores') }}
    where
        measure in ('AP', 'P@10')
        and unjudged = 'nonrelevant'
        and judgement_set = 'without_organization'

),

-- one row per run that answers a judged topic: number of documents in the first places, without missing ones
retrieved as (

    select
        collection_key,
        run_key,
        sum(least(n_retrieved, 10)) as n_in_10,
        sum(least(n_retrieved, 100)) as n_in_100
    from run_topics
    group by all

),

-- one row per run with a judged document there: how many of these documents are judged
judged as (

    select
        run_key,
        count(*) filter (where rank <= 10) as n_in_10,
        count(*) as n_in_100
    from judged_rankings
    group by run_key

),

-- one row per collection with a run that answers a judged topic
judged_shares as (

    select
        retrieved.collection_key,
        sum(coalesce(judged.n_in_10, 0)) / sum(retrieved.n_in_10) as judged_share_at_10,
        sum(coalesce(judged.n_in_100, 0)) / sum(retrieved.n_in_100) as judged_share_at_100
    from retrieved
    left join judged using (run_key)
    group by retrieved.collection_key

),

-- one row per pooled run and measure: its score with all judgements, and with the judgements that remain when its
-- organization has left the pool
compared as (

    select
        run_scores.collection_key,
        run_scores.measure,
        run_scores.score_all_topics as score,
        left_out_scores.score_all_topics as left_out_score
    from run_scores
    inner join left_out_scores using (run_key, measure)
    inner join pooled_runs using (run_key)

),

-- one row per collection with pooled runs: means over these runs
biases as (

    select
        collection_key,
        avg(score) filter (where measure = 'AP') as mean_ap,
        avg(score - left_out_score) filter (where measure = 'AP') as bias_ap,
        avg(score) filter (where measure = 'P@10') as mean_p10,
        avg(score - left_out_score) filter (where measure = 'P@10') as bias_p10
    from compared
    group by collection_key

),

-- one row per collection
described as (

    select
        collections.collection_id,
        collections.title,
        collections.track,
        collections.year,
        collections.task,
        collections.pool_depth,
        collections.pool_depth_source,
        collections.pool_depth_confidence,
        collections.n_runs,
        collections.n_pooled_runs,
        collections.n_organizations,
        collections.n_topics,
        collections.n_judgements,
        collections.n_relevant,
        cast(collections.n_judgements / nullif(collections.n_topics, 0) as double) as judgements_per_topic,
        cast(collections.n_relevant / nullif(collections.n_topics, 0) as double) as relevant_per_topic,
        judged_shares.judged_share_at_10,
        judged_shares.judged_share_at_100,
        unjudged_of_unpooled.figure / 100 as unjudged_share_of_unpooled,
        biases.mean_ap,
        biases.bias_ap,
        biases.bias_ap / nullif(biases.mean_ap, 0) as relative_bias_ap,
        biases.mean_p10,
        biases.bias_p10,
        biases.bias_p10 / nullif(biases.mean_p10, 0) as relative_bias_p10,
        verdicts.verdict
    from collections
    inner join collection_keys using (collection_id)
    left join judged_shares using (collection_key)
    left join unjudged_of_unpooled using (collection_key)
    left join verdicts using (collection_key)
    left join biases using (collection_key)

),

-- the same rows with the previous collection of the same track and task, by year and then by name
drifted as (

    select
        *,
        {{ before('collection_id') }} as previous_collection_id,
        pool_depth - {{ before('pool_depth') }} as pool_depth_drift,
        judged_share_at_10 - {{ before('judged_share_at_10') }} as judged_share_at_10_drift,
        judged_share_at_100 - {{ before('judged_share_at_100') }} as judged_share_at_100_drift,
        unjudged_share_of_unpooled - {{ before('unjudged_share_of_unpooled') }}
            as unjudged_share_of_unpooled_drift,
        relative_bias_ap - {{ before('relative_bias_ap') }} as relative_bias_ap_drift,
        relative_bias_p10 - {{ before('relative_bias_p10') }} as relative_bias_p10_drift
    from described
    window campaign as {{ campaign_window() }}

)

select * from drifted
