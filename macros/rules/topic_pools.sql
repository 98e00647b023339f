{#-
    Pools that differ by topic (docs/decisions/depth_inference.md): some topics were judged to another depth, or in another
    year, from other runs.
-#}

{#-
    The depth to which a run was pooled on a topic: its own on the topics of the main pool, and else the depth of the topic,
    which is 0 where no loaded run is known to be pooled.
-#}
{% macro depth_on_topic(topic_pools, run_depth) -%}
    case when {{ topic_pools }}.is_of_main_pool then {{ run_depth }} else coalesce({{ topic_pools }}.pool_depth, 0) end
{%- endmacro %}

{#- Whether the loaded runs were pooled on a topic, as far as anybody knows. -#}
{% macro is_pooled_topic(topic_pools) -%}
    ({{ topic_pools }}.is_of_main_pool or {{ topic_pools }}.pool_depth is not null)
{%- endmacro %}

{#- The attribute of topics that declares a depth; 0 where the loaded runs were not pooled on the topic. -#}
{% macro topic_depth_attribute() -%}
    pool_depth
{%- endmacro %}

{#- Whether enough topics are of one kind to be a pool of their own: two, and a tenth. -#}
{% macro is_part_of_topics(n_topics, n_all) -%}
    {{ n_topics }} >= greatest(2, {{ n_all }} / 10)
{%- endmacro %}

{#-
    CTEs that end in `{prefix}_pool`: one row per collection and topic of the deepest pool that the lists of `lists` show on
    some topics. A list looks pooled to depth d if the qrels lack at most one of its first d + 1 documents. Ranks d and d + 1
    count alike, so that neither lists nor topics are selected by the drop that is tested. A topic is of this pool if at least
    half as many of its lists look pooled as on the best topic. Pools that differ are far apart: at most a tenth of the topics
    have between a quarter and three quarters of that number, and on the best topic a quarter of the lists look pooled. A
    depth that is declared of the collection needs no drop, because the pool may be deeper.
-#}
{% macro deepest_topic_pool(prefix, lists) -%}
-- one row per collection and depth after which more than a hundredth of the lists lack their first document, or the
-- declared depth
{{ prefix }}_depths as (

    select
        collection_key,
        coalesce(declared_pool_depth, n_leading_in_qrels) as depth,
        declared_pool_depth is not null as is_declared
    from {{ lists }}
    where
        declared_pool_depth is not null
        or n_leading_in_qrels between 1 and n_retrieved - 1
    group by
        collection_key,
        coalesce(declared_pool_depth, n_leading_in_qrels),
        declared_pool_depth is not null,
        n_lists
    having
        is_declared
        or 100 * count(*) > n_lists

),

-- one row per collection, depth and topic: its lists that go on, those that look pooled, and of these the ones that drop
-- and the ones that rise there
{{ prefix }}_topics as (

    select
        depths.collection_key,
        depths.depth,
        lists.topic_key,
        depths.is_declared,
        any_value(lists.n_topics) as n_topics,
        count(*) as n_going_on,
        count_if(depths.depth < lists.n_leading_with_one_gap) as n_pooled,
        count_if(depths.depth = lists.n_leading_in_qrels) as n_falls,
        count_if(
            depths.depth - 1 = lists.n_leading_in_qrels
            and depths.depth < lists.n_leading_with_one_gap
        ) as n_rises
    from {{ prefix }}_depths as depths
    inner join {{ lists }} as lists
        on
            depths.collection_key = lists.collection_key
            and depths.depth < lists.n_retrieved
    group by all

),

-- the same rows, with the best topic
{{ prefix }}_best as (

    select
        *,
        max(n_pooled) over of_depth as most_pooled,
        max_by(n_going_on, n_pooled) over of_depth as n_going_on_of_most
    from {{ prefix }}_topics
    window of_depth as (partition by collection_key, depth)

),

-- the same rows, of the topics on which the lists look pooled
{{ prefix }}_pooled_topics as (

    select * from {{ prefix }}_best
    window of_depth as (partition by collection_key, depth)
    qualify
        2 * n_pooled >= most_pooled
        and 4 * most_pooled >= n_going_on_of_most
        and 10 * count_if(4 * n_pooled between most_pooled and 3 * most_pooled) over of_depth <= n_topics

),

-- one row per collection and depth on enough topics, with the weight of the drop, where no drop has weight 0. The lists of a
-- topic share documents, so that topics are counted. A declared depth is as probable as none.
{{ prefix }}_drops as (

    select
        collection_key,
        depth,
        is_declared,
        {{ drop_likelihood_ratio('count_if(n_falls > n_rises)', 'count_if(n_falls < n_rises)') }} / 2
        - case when is_declared then 0 else ln(depth) end as weight
    from {{ prefix }}_pooled_topics
    group by
        collection_key,
        depth,
        is_declared,
        n_topics
    having
        (is_declared or {{ is_drop_enough('sum(n_falls)', 'sum(n_rises)', 'sum(n_pooled)') }})
        and {{ is_part_of_topics('count(*)', 'n_topics') }}

),

-- one row per topic of the deepest of these pools with a probability of .95, beside none, or of the declared depth. The
-- probability is null where the qrels do not show this depth.
{{ prefix }}_pool as (

    select
        pooled_topics.collection_key,
        pooled_topics.topic_key,
        deepest.depth,
        deepest.confidence
    from {{ prefix }}_pooled_topics as pooled_topics
    inner join (
        select
            collection_key,
            depth,
            case when weight >= ln(0.95 / 0.05) then {{ comparable('1 / (1 + exp(-weight))') }} end as confidence
        from {{ prefix }}_drops
        where
            is_declared
            or confidence is not null
        qualify depth = max(depth) over (partition by collection_key)
    ) as deepest using (collection_key, depth)

)
{%- endmacro %}
