{#-
    Scores by a requested measure with any judgements, as CTEs. The CTE `scores` has one row per run and judged
    topic. The CTEs read the argument `asked` and the CTEs `asked_collection` (with `relevance_level`), `left_out`
    (one row per run and judged topic), `topic_totals`, `ideal_rankings`, `judged_rankings`, `run_topics` and
    `treatments`, which have the columns of the models of the same names.
-#}
{% macro asked_scores() -%}
-- one row per judged topic and run or organization that is left out, with what an ideal ranking finds
totals as (

    select
        topic_totals.collection_key,
        topic_totals.topic_key,
        topic_totals.left_out_run_key,
        topic_totals.left_out_organization_key,
        topic_totals.left_out_relevant_organization_key,
        topic_totals.n_judged,
        count(ideal_rankings.rank) as n_gainful,
        count(*) filter (where ideal_rankings.grade >= asked_collection.relevance_level) as n_relevant,
        max(ideal_rankings.discounted_gain_so_far) filter (
            where ideal_rankings.rank <= {{ asked_cutoff('asked') }}
        ) as ideal_dcg
    from asked_collection
    inner join topic_totals on asked_collection.collection_key = topic_totals.collection_key
    left join ideal_rankings
        on
            topic_totals.collection_key = ideal_rankings.collection_key
            and topic_totals.topic_key = ideal_rankings.topic_key
            and {{ is_same_left_out('topic_totals', 'ideal_rankings') }}
    group by
        topic_totals.collection_key,
        topic_totals.topic_key,
        topic_totals.left_out_run_key,
        topic_totals.left_out_organization_key,
        topic_totals.left_out_relevant_organization_key,
        topic_totals.n_judged

),

-- the grid: one row per run and judged topic, with the topic's totals; the CTEs below identify a row by its key
grid as (

    select
        row_number() over () as cell_key,
        left_out.run_key,
        totals.*,
        run_topics.n_retrieved is not null as is_answered,
        coalesce(run_topics.n_retrieved, 0) as full_length
    from left_out
    inner join totals
        on
            left_out.topic_key = totals.topic_key
            and {{ is_same_left_out('left_out', 'totals') }}
    left join run_topics
        on
            left_out.run_key = run_topics.run_key
            and totals.topic_key = run_topics.topic_key

),

{{ documents_of_cells([]) }},

-- one row per run and judged topic. Only one of these two is computed: the one that has the measure (the first one
-- for an unknown measure, which raises the error)
scores as (

    select
        collection_key,
        run_key,
        topic_key,
        is_answered,
        {{ asked_aggregate('asked', 'judged') }} as score
    from judged_cells
    where not {{ is_asked_of('asked', 'gains') }}
    group by
        collection_key,
        run_key,
        topic_key,
        is_answered
    union all
    select
        collection_key,
        run_key,
        topic_key,
        is_answered,
        {{ asked_aggregate('asked', 'gains') }} as score
    from compared_cells
    where {{ is_asked_of('asked', 'gains') }}
    group by
        collection_key,
        run_key,
        topic_key,
        is_answered

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
            when {{ problem_with_asked('asked') }} is not null
                then error(coalesce(max(hints.hint), {{ problem_with_asked('asked') }}))
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

{#- One row: how the requested measure is written, where it was written in another way. It reads `measures`. -#}
{% macro hints_of_asked() -%}
-- one row: how the requested measure is written, where it was written in another way; else null
hints as (

    select max(asked || ' is written ' || {{ written_measure('asked') }}) as hint
    from measures
    where {{ written_measure('asked') }} <> asked

)
{%- endmacro %}
