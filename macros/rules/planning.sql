{#- The depths for which a pool is planned, where no others are requested. -#}
{% macro planned_depths() -%}
    [1, 5, 10, 20, 30, 50, 100]
{%- endmacro %}

{#- The cutoffs for assessment, where no others are requested (Baillie et al. 2008, 4.2). -#}
{% macro assessment_cutoffs() -%}
    [10, 30, 100, 500, 1000]
{%- endmacro %}

{#- CTEs of the table macros for planning, with their imports: the requested collection, or an error. -#}
{% macro collection_of_plan() -%}
    collections as (

        select * from {{ ref('int_collections') }}

    ),

    -- one row: the requested name
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
        -- by `using`, an argument that is null would be a number
        left join collections on asked.collection_id = collections.collection_id

    )
{%- endmacro %}

{#-
    The ranks that an argument lists, as CTEs that end in `asked_<kind>s`: one row each, or an error that says what
    is wrong.
-#}
{% macro asked_ranks(kind, list) -%}
    -- the requested {{ kind }}s, or an error
    listed_{{ kind }}s as (

        select
            unnest(
                case
                    when len({{ list }}) > 0 then cast({{ list }} as bigint [])
                    else error('no {{ kind }} is given')
                end
            ) as {{ kind }}

    ),

    -- one row per {{ kind }}; or an error
    distinct_{{ kind }}s as (

        select distinct
            case
                when {{ kind }} > 0 then {{ kind }}
                else error('a {{ kind }} is ' || coalesce(cast({{ kind }} as varchar), 'null') || ', expected 1 or more')
            end as {{ kind }}
        from listed_{{ kind }}s

    )
{%- endmacro %}

{#-
    CTEs of the table macros for planning, with their imports: the requested collection, or an error, and the topics
    of the pool. `is_of_every_topic` says, as SQL, whether topics that nobody judged have a pool where others are judged.
-#}
{% macro topics_of_plan(is_of_every_topic='false') -%}
    {{ collection_of_plan() }},

    topics as (

        select * from {{ ref('int_topics') }}

    ),

    judged_topics as (

        select * from {{ ref('int_judged_topics') }}

    ),

    -- one row per topic of the pool: the judged topics or, where nothing is judged, all topics that a run answers
    asked_topics as (

        select
            topics.collection_key,
            topics.topic_key,
            topics.topic_id
        from asked_collection
        inner join topics using (collection_key)
        left join judged_topics using (collection_key, topic_key)
        where
            judged_topics.topic_key is not null
            or not asked_collection.is_judged
            or {{ is_of_every_topic }}

    )
{%- endmacro %}

{#-
    The same CTEs and the requested depths, or an error that says which argument is wrong. `depths` is the list, as
    SQL.
-#}
{% macro asked_of_plan(depths='depths', is_of_every_topic='false') -%}
    {{ topics_of_plan(is_of_every_topic) }},

    {{ asked_ranks('depth', depths) }},

    -- the same rows with the next lower depth
    asked_depths as (

        select
            depth,
            lag(depth, 1, 0) over (order by depth) as shallower_depth
        from distinct_depths

    )
{%- endmacro %}

{#- A CTE that follows the CTEs of asked_collection and rankings: one row per run and topic that it answers. -#}
{% macro answers_of_plan() -%}
    answers as (

        select
            rankings.run_key,
            rankings.topic_key
        from asked_collection
        inner join rankings using (collection_key)
        -- every ranking has exactly one document at rank 1
        where rankings.rank = 1

    )
{%- endmacro %}

{#- CTEs that follow the CTEs of asked_of_plan: one row per document that the qrels of the collection judge. -#}
{% macro judged_of_plan() -%}
    judgements as (

        select * from {{ ref('int_judgements') }}
        where is_judged

    ),

    judged_documents as (

        select
            judgements.topic_key,
            judgements.doc_key
        from asked_collection
        inner join judgements using (collection_key)

    )
{%- endmacro %}

{#-
    CTEs that follow those of contributions and asked_of_plan: the contributions to each requested pool, and `documents`,
    one row per depth, topic and document of the pool, with `judged_key`, which is null where the qrels lack it.
-#}
{% macro documents_of_plan() -%}
    {{ judged_of_plan() }},

    -- one row per depth, run, topic and document that the run contributes to that pool
    contributions_at_depths as (

        select
            asked_depths.depth,
            contributions.*
        from contributions
        inner join asked_depths on contributions.from_depth <= asked_depths.depth

    ),

    pool_documents as (

        select
            depth,
            topic_key,
            doc_key,
            {{ contributor_columns('contributions_at_depths') }}
        from contributions_at_depths
        group by
            depth,
            topic_key,
            doc_key

    ),

    documents as (

        select
            pool_documents.*,
            judged_documents.doc_key as judged_key
        from pool_documents
        left join judged_documents using (topic_key, doc_key)

    )
{%- endmacro %}
