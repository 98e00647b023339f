{#-
    Scores by a requested measure with any judgements: the CTE `scores` has one row per run and judged topic. The CTEs
    read the argument `asked`, and what the score engine reads (scored_cells.sql); the documents are relevant from the
    requested grade on (`asked_relevance`). The aggregates of all measures are in macros of the warehouse, or are
    written out where there is no warehouse.
-#}
{% macro asked_scores(by=[], treatments=["'nonrelevant'"], has_warehouse=true) -%}
{{ scored_cells(by=by, treatments=treatments) }},

{{ ideal_cells(by) }},

-- one row per cell. Only one of these is computed: the one that has the measure (the first one for an unknown measure,
-- which raises the error)
measured as (

    {% for rows, cells in [('judged', 'judged_cells'), ('gains', 'compared_cells'), ('ideal', 'ideal_cells')] -%}
    {% if has_warehouse -%}
    select * from {{ ref('int_measured_' ~ rows) }}(asked, '{{ cells }}')
    {%- else -%}
    {{ measured_cells(rows, cells) }}
    {%- endif %}
    {{ 'union all' if not loop.last }}
    {% endfor %}
),

-- one row per run and judged topic
scores as (

    select
        grid.collection_key,
        grid.run_key,
        grid.topic_key,
        {{ keys_of_set('grid', by) }}
        grid.is_answered,
        measured.score
    from grid
    inner join measured using (cell_key)

)
{%- endmacro %}

{#- One row per cell: its score by the measure `asked`; no rows if the measure does not read rows of this kind. -#}
{% macro measured_cells(rows, cells) -%}
    select
        cell_key,
        {{ asked_aggregate('asked', rows) }} as score
    from {{ cells }}
    where
    {%- if rows == 'judged' %}
        not {{ is_asked_of('asked', 'gains') }}
        and not {{ is_asked_of('asked', 'ideal') }}
    {%- else %}
        {{ is_asked_of('asked', rows) }}
    {%- endif %}
    group by cell_key
{%- endmacro %}

{#- The same scores over topics, one row per run. It reads the CTEs `topic_scores` and `measures`. -#}
{% macro asked_scores_of_runs(columns) -%}
-- one row per run
run_scores as (

    select
        {% for column in columns -%}
        topic_scores.{{ column }},
        {% endfor -%}
        {{ over_topics('topic_scores.score', 'measures.aggregation', 'topic_scores.is_answered') }} as score,
        {{ over_topics('topic_scores.score', 'measures.aggregation', 'true') }} as score_all_topics,
        cast(count(*) filter (where topic_scores.is_answered) as integer) as n_topics
    from topic_scores
    -- an outer join, so that an error about the arguments is raised and not joined away
    left join measures on measures.name = {{ asked_name('asked') }}
    group by
        {% for column in columns -%}
        topic_scores.{{ column }}{{ ',' if not loop.last }}
        {% endfor %}
)
{%- endmacro %}

{#-
    CTEs that end in `asked_collection`, one row: the requested collection, and the lowest grade that counts as relevant,
    which is that of the measure or, where it has none, of the collection; or an error that says which argument is wrong.
    They read `collections`. `arguments` must not be null, and if `asked` is one, the measure is checked. `wrong` has further
    branches of the `case`.
-#}
{% macro asked_collection(arguments, wrong=none, relevance_level=none, must_be_judged=true) -%}
{%- set has_measure = 'asked' in arguments -%}
{%- if has_measure -%}
{{ hints_of_asked() }},

{% endif -%}
asked_collection as (

    select
        case
            {%- if arguments %}
            when {{ arguments | join(' is null or ') }} is null then error('an argument is null')
            {%- endif %}
            when max(collections.collection_key) is null then {{ no_such_collection('collection') }}
            {%- if must_be_judged %}
            when not bool_or(collections.is_judged) then {{ not_judged('collection') }}
            {%- endif %}
            {%- if has_measure %}
            when max(hints.problem) is not null then error(coalesce(max(hints.hint), max(hints.problem)))
            {%- endif %}
            {%- if 'unjudged' in arguments %}
            when unjudged not in ('nonrelevant', 'condensed')
                then error(unjudged || ' is not nonrelevant or condensed')
            {%- endif %}
            {%- if wrong %}
            {{ wrong }}
            {%- endif %}
            else max(collections.collection_key)
        end as collection_key,
        {{ relevance_level or 'coalesce(' ~ asked_parameter('asked', 'rel') ~ ', max(collections.relevance_threshold))' }}
            as relevance_level
    {% if has_measure -%}
    from hints
    left join collections on collections.collection_id = collection
    {%- else -%}
    from collections
    where collections.collection_id = collection
    {%- endif %}

)
{%- endmacro %}

{#- Whether a document is relevant from that grade on; null for a document that is not judged. -#}
{% macro asked_relevance(documents) -%}
    case
                when {{ documents }}.is_relevant is not null
                    then {{ documents }}.grade >= asked_collection.relevance_level
            end
{%- endmacro %}

{#-
    One row: what is wrong with the requested measure, and how it is written; null where nothing is wrong. Nothing is wrong
    in a macro whose callers have scored by the measure (`is_checked`): looking takes longer than most CTEs.
-#}
{% macro hints_of_asked() -%}
hints as (

    {% if model.config.get('meta', {}).get('is_checked') -%}
        select
            cast(null as varchar) as hint,
            cast(null as varchar) as problem
    {%- else -%}
        select * from {{ ref('int_measure_hints') }}(asked)
    {%- endif %}

)
{%- endmacro %}
