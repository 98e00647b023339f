{#-
    Scores by a requested measure with any judgements: the CTE `scores` has one row per run and judged topic. The CTEs
    read the argument `asked`, and what the score engine reads (scored_cells.sql); the documents are relevant from the
    requested grade on (`asked_relevance`).
-#}
{% macro asked_scores(leaving=false) -%}
{{ scored_cells(leaving=leaving) }},

{{ ideal_cells(leaving) }},

-- one row per run and judged topic. Only one of these is computed: the one that has the measure (the first one for an
-- unknown measure, which raises the error)
scores as (

    select
        collection_key,
        run_key,
        topic_key,
        is_answered,
        {{ asked_aggregate('asked', 'judged') }} as score
    from judged_cells
    where
        not {{ is_asked_of('asked', 'gains') }}
        and not {{ is_asked_of('asked', 'ideal') }}
    group by
        collection_key,
        run_key,
        topic_key,
        is_answered
    {%- for rows, cells in [('gains', 'compared_cells'), ('ideal', 'ideal_cells')] %}
    union all
    select
        collection_key,
        run_key,
        topic_key,
        is_answered,
        {{ asked_aggregate('asked', rows) }} as score
    from {{ cells }}
    where {{ is_asked_of('asked', rows) }}
    group by
        collection_key,
        run_key,
        topic_key,
        is_answered
    {%- endfor %}

)
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
    The branches of a `case` that say which argument is wrong, for one row per collection that has the requested
    name. They read the CTE `hints`, and `arguments`, which lists the names of all arguments that must not be null.
-#}
{% macro wrong_arguments_of_scores(arguments) -%}
    when {{ arguments | join(' is null or ') }} is null then error('an argument is null')
            when max(collection_key) is null then {{ no_such_collection('collection') }}
            when not bool_or(is_judged) then {{ not_judged('collection') }}
            when max(hints.problem) is not null then error(coalesce(max(hints.hint), max(hints.problem)))
            {%- if 'unjudged' in arguments %}
            when unjudged not in ('nonrelevant', 'condensed')
                then error(unjudged || ' is not nonrelevant or condensed')
            {%- endif %}
{%- endmacro %}

{#-
    The lowest grade that counts as relevant: from the measure or, where the measure has none, from the collection.
-#}
{% macro asked_relevance_level() -%}
    coalesce({{ asked_parameter('asked', 'rel') }}, max(relevance_threshold))
{%- endmacro %}

{#- Whether a document is relevant from that grade on; null for a document that is not judged. -#}
{% macro asked_relevance(documents) -%}
    case
                when {{ documents }}.is_relevant is not null
                    then {{ documents }}.grade >= asked_collection.relevance_level
            end
{%- endmacro %}

{#-
    One row: what is wrong with the notation of the requested measure, and how it is written, where it was written in
    another way. It reads `measures` and `notations`.
-#}
{% macro hints_of_asked() -%}
-- one row: what is wrong with the requested measure, and how it is written; null where nothing is wrong
hints as (

    select
        asked || ' is written ' || {{ meant_measure('asked') }} as hint,
        {{ problem_with_asked('asked') }} as problem
    from measures
    where {{ written_measure('asked') }} <> asked

)
{%- endmacro %}
