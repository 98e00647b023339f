with

{{ imports(
    'dim_collections', 'int_judged_shares', biases='int_collection_biases', verdicts='int_collection_verdicts'
) }},

collection_keys as (

    select
        collection_key,
        collection_id
    from {{ ref('int_collections') }}

),

unjudged_of_unpooled as (

    select * from {{ ref('int_verdict_figures') }}
    where rule_id = 'unjudged_of_unpooled'

),

-- one row per collection with pooled runs: both measures as columns
biases_of_collections as (

    select
        collection_key,
        any_value(mean_score) filter (where measure = 'AP') as mean_ap,
        any_value(bias) filter (where measure = 'AP') as bias_ap,
        any_value(relative_bias) filter (where measure = 'AP') as relative_bias_ap,
        any_value(mean_score) filter (where measure = 'P@10') as mean_p10,
        any_value(bias) filter (where measure = 'P@10') as bias_p10,
        any_value(relative_bias) filter (where measure = 'P@10') as relative_bias_p10
    from biases
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
        cast(judged_shares.judged_share_at_10 as double) as judged_share_at_10,
        cast(judged_shares.judged_share_at_100 as double) as judged_share_at_100,
        unjudged_of_unpooled.figure / 100 as unjudged_share_of_unpooled,
        cast(biases_of_collections.mean_ap as double) as mean_ap,
        cast(biases_of_collections.bias_ap as double) as bias_ap,
        cast(biases_of_collections.relative_bias_ap as double) as relative_bias_ap,
        cast(biases_of_collections.mean_p10 as double) as mean_p10,
        cast(biases_of_collections.bias_p10 as double) as bias_p10,
        cast(biases_of_collections.relative_bias_p10 as double) as relative_bias_p10,
        verdicts.verdict
    from collections
    inner join collection_keys on collections.collection_id = collection_keys.collection_id
    left join judged_shares on collection_keys.collection_key = judged_shares.collection_key
    left join unjudged_of_unpooled on collection_keys.collection_key = unjudged_of_unpooled.collection_key
    left join verdicts on collection_keys.collection_key = verdicts.collection_key
    left join biases_of_collections on collection_keys.collection_key = biases_of_collections.collection_key

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
