{#- The depths that a pool is planned for, where nobody asks for others. -#}
{% macro planned_depths() -%}
    [1, 5, 10, 20, 30, 50, 100]
{%- endmacro %}

{#-
    CTEs of the table macros for planning: the collection and the depths that they are called with, or an error
    that says which argument is wrong; and the topics that a pool has. They read CTEs that import
    int_collections, int_topics and int_judged_topics.
-#}
{% macro asked_of_plan() -%}
    -- one row: the name that is asked for
    asked as (

        select collection as collection_id

    ),

    -- one row: the collection; or an error
    asked_collection as (

        select
            case
                when collections.collection_key is null then {{ no_such_collection('asked.collection_id') }}
                else collections.collection_key
            end as collection_key,
            asked.collection_id,
            collections.is_judged
        from asked
        left join collections on asked.collection_id = collections.collection_id

    ),

    -- the depths as they are asked for; or an error
    listed_depths as (

        select
            unnest(
                case when len(depths) > 0 then cast(depths as bigint []) else error('no depth is asked for') end
            ) as depth

    ),

    -- one row per depth; or an error
    distinct_depths as (

        select distinct
            case
                when depth > 0 then depth
                else error('a depth is ' || coalesce(cast(depth as varchar), 'null') || ', expected 1 or more')
            end as depth
        from listed_depths

    ),

    -- the same rows with the depth before each
    asked_depths as (

        select
            depth,
            lag(depth, 1, 0) over (order by depth) as shallower_depth
        from distinct_depths

    ),

    -- one row per topic of the pool: those that are judged; where nothing is, all that a run answers
    asked_topics as (

        select
            topics.collection_key,
            topics.topic_key,
            topics.topic_id
        from asked_collection
        inner join topics on asked_collection.collection_key = topics.collection_key
        left join judged_topics
            on
                topics.collection_key = judged_topics.collection_key
                and topics.topic_key = judged_topics.topic_key
        where
            judged_topics.topic_key is not null
            or not asked_collection.is_judged

    )
{%- endmacro %}
