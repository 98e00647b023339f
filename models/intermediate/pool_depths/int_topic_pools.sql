{{ config(materialized='table', meta={'rule': 'pool'}) }}

with

{{ imports(
    'int_collections', 'int_judged_topics', 'int_run_topics', 'int_listed_pools', voters='int_depth_voters where has_vote',
    attributes="int_topic_attributes where attribute = '" ~ topic_depth_attribute() ~ "'"
) }},

-- one row per topic with a declared depth, which is 0 where the runs were not pooled. Lists of a pool say more.
declared as (

    select
        collection_key,
        topic_key,
        try_cast(value as integer) as depth
    from attributes
    anti join listed_pools using (collection_key)

),

-- one row per collection with such a topic, and the depth of its main pool: that of the topics without a declaration, or
-- else the most frequent one
declared_pools as (

    select
        judged_topics.collection_key,
        case when bool_and(declared.depth is not null) then mode(nullif(declared.depth, 0) order by declared.depth) end
            as main_depth
    from judged_topics
    left join declared using (collection_key, topic_key)
    group by judged_topics.collection_key
    having count(declared.depth) > 0

),

-- one row per collection whose qrels may be a pool: they hold documents that are judged not relevant, or are declared so
pooled_collections as (

    select collection_key
    from collections
    inner join judged_topics using (collection_key)
    anti join listed_pools using (collection_key)
    group by collection_key
    having
        coalesce(
            any_value(collections.declared_judging),
            if(
                {{ holds_both_kinds('sum(judged_topics.n_judged)', 'sum(judged_topics.n_relevant)') }},
                'pooled',
                null
            )
        ) = 'pooled'

),

-- one row per run with a vote and topic, where no depth of the topic is declared
lists as (

    select
        run_topics.collection_key,
        run_topics.topic_key,
        run_topics.n_retrieved,
        run_topics.n_leading_in_qrels,
        run_topics.n_leading_with_one_gap,
        collections.declared_pool_depth,
        count(*) over of_collection as n_lists,
        count(distinct run_topics.topic_key) over of_collection as n_topics
    from run_topics
    inner join voters using (run_key)
    inner join collections on run_topics.collection_key = collections.collection_key
    semi join pooled_collections on run_topics.collection_key = pooled_collections.collection_key
    anti join declared
        on
            run_topics.collection_key = declared.collection_key
            and run_topics.topic_key = declared.topic_key
    window of_collection as (partition by run_topics.collection_key)

),

{{ deepest_topic_pool('main', 'lists') }},

-- one row per collection: the depth that its main pool shows
shown_depths as (

    select distinct
        collection_key,
        depth,
        confidence
    from main_pool

),

-- one row per topic that is not of the main pool, in collections where these are enough
remaining_topics as (

    select
        collection_key,
        topic_key
    from lists
    semi join shown_depths using (collection_key)
    anti join main_pool using (collection_key, topic_key)
    group by
        collection_key,
        topic_key,
        n_topics
    qualify {{ is_part_of_topics('count(*) over (partition by collection_key)', 'n_topics') }}

),

-- their lists
other_lists as (

    select * replace (null as declared_pool_depth)
    from lists
    semi join remaining_topics using (collection_key, topic_key)

),

{{ deepest_topic_pool('other', 'other_lists') }},

-- the judged topics of collections in which the depth of a topic is declared
declared_topics as (

    select
        judged_topics.collection_key,
        judged_topics.topic_key,
        coalesce(declared.depth, -1) = coalesce(declared_pools.main_depth, -1) as is_of_main_pool,
        nullif(coalesce(declared.depth, shown_depths.depth), 0) as pool_depth,
        'declared' as source,
        case when declared.depth is null then shown_depths.confidence end as confidence
    from judged_topics
    inner join declared_pools using (collection_key)
    left join declared using (collection_key, topic_key)
    left join shown_depths using (collection_key)

),

-- the judged topics of collections of which the qrels show several pools
shown_topics as (

    select
        judged_topics.collection_key,
        judged_topics.topic_key,
        main_pool.topic_key is not null as is_of_main_pool,
        coalesce(main_pool.depth, other_pool.depth) as pool_depth,
        'inferred' as source,
        main_pool.confidence
    from judged_topics
    semi join remaining_topics using (collection_key)
    anti join declared_pools using (collection_key)
    left join main_pool using (collection_key, topic_key)
    left join other_pool using (collection_key, topic_key)

),

-- these, and the judged topics of collections with one pool
pools as (

    select * from declared_topics
    union all
    select * from shown_topics
    union all
    select
        collection_key,
        topic_key,
        true as is_of_main_pool,
        null as pool_depth,
        null as source,
        null as confidence
    from judged_topics
    anti join declared_pools using (collection_key)
    anti join remaining_topics using (collection_key)

)

select * from pools
