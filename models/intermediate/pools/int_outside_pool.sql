{{ config(materialized='table', meta={'rule': 'by_collection'}) }}

with

{{ imports(
    'int_pooled_runs', 'int_judged_topics', 'int_topic_pools', 'int_earlier_rounds',
    'int_pool_documents where pool_key = 0'
) }},

-- one row per collection that has pooled runs
pooled_collections as (

    select distinct collection_key from pooled_runs

),

-- one row per collection: the pairs that the qrels judge on pooled topics, without those judged before the runs were made
judged as (

    select
        judged_topics.collection_key,
        sum(judged_topics.n_judged - coalesce(earlier_rounds.n_judged, 0)) as n_judged,
        sum(judged_topics.n_relevant - coalesce(earlier_rounds.n_relevant, 0)) as n_relevant
    from judged_topics
    inner join topic_pools using (collection_key, topic_key)
    left join earlier_rounds using (collection_key, topic_key)
    where {{ is_pooled_topic('topic_pools') }}
    group by judged_topics.collection_key

),

-- one row per collection: the pairs among them that a pooled run contributed
contributed as (

    select
        collection_key,
        count(is_relevant) as n_judged,
        count(*) filter (where is_relevant) as n_relevant
    from pool_documents
    group by collection_key

),

-- one row per collection that has pooled runs: the share of the remaining pairs
outside as (

    select
        {% for what in ['judged', 'relevant'] %}
            (judged.n_{{ what }} - coalesce(contributed.n_{{ what }}, 0)) / nullif(judged.n_{{ what }}, 0)
                as share_{{ what }}_outside_pool,
        {% endfor %}
        judged.collection_key
    from judged
    inner join pooled_collections using (collection_key)
    left join contributed using (collection_key)

)

select * from outside
