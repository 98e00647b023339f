{#-
    The columns that the measures read: columns that count the documents of a ranking from the top, and columns of
    totals that an ideal ranking would find. Each relevance level that a measure requests has its own `is_relevant`,
    `nth_relevant` and `n_relevant`, with the level at the end of the name.

    The gain of a document is its grade, or what the parameters of the requested measure make of its grade. Only rows
    for a requested measure have the column `gain`.
-#}

{#- The gain of a judged grade by the argument `asked`. -#}
{% macro asked_gain(grade) -%}
    {%- set gains = asked_parameter('asked', 'gains') -%}
    case
        when {{ gains }} is not null then coalesce({{ gains }}[{{ grade }}], {{ grade }})
        when {{ asked_parameter('asked', 'dcg', 'log2') }} = 'exp-log2' then {{ exponential_gain(grade) }}
        else {{ grade }}
    end
{%- endmacro %}

{#- 2^grade - 1, where that is a double. -#}
{% macro exponential_gain(grade) -%}
    case
        when {{ grade }} > 1023
            then error(
                'exponential gains (dcg=exp-log2) need grades up to 1023, and a document has the grade '
                || {{ grade }}
            )
        else pow(2, {{ grade }}) - 1
    end
{%- endmacro %}

{#- Whether a document is relevant, at each of these levels too; null for a document that is not judged. -#}
{% macro relevance_columns(documents, levels) -%}
    {{ documents }}.is_relevant
    {%- for level in levels -%},
        case when {{ documents }}.is_relevant is not null then {{ documents }}.grade >= {{ level }} end
            as is_relevant_{{ level }}
    {%- endfor -%}
{%- endmacro %}

{#-
    Numbers of documents down to each document, itself included, over the window `ranking`: the judged documents,
    and the documents that are in the pool and not judged. The first number is a difference, because the engine
    numbers rows much faster than it counts values.
-#}
{% macro counting_columns() -%}
    row_number() over ranking - count(*) filter (where is_relevant is null) over ranking as nth_judged,
    count(*) filter (where is_relevant is null) over ranking as nth_pooled_unjudged
{%- endmacro %}

{#-
    Documents with a gain down to each document, itself included, over the window `ranking`, for the given measures,
    or for the argument `asked`.
-#}
{% macro gain_counting_columns(levels, gain='grade', measure_ids=none) -%}
    count(*) filter (where is_relevant) over ranking as nth_relevant,
    {% for level in levels -%}
        count(*) filter (where is_relevant_{{ level }}) over ranking as nth_relevant_{{ level }},
    {% endfor -%}
    count(*) over ranking as nth_gainful,
    sum({{ gain }}) over ranking as gain_so_far
    {{- p_unsatisfied_columns(measure_ids) }}
{%- endmacro %}

{#-
    The totals that an ideal ranking finds, for the given measures, or for the argument `asked`; each of its rows is a
    document.
-#}
{% macro total_columns(ideal, measure_ids=none) -%}
    {%- for level in relevance_levels(measure_ids or []) %}
        cast(count(*) filter (where {{ ideal }}.grade >= {{ level }}) as integer) as n_relevant_{{ level }},
    {%- endfor %}
    {%- if measure_ids is none %}
        case
            when isinf({{ ideal_dcg(ideal, asked_cutoff('asked')) }})
                then error('the gains of a topic add up to more than a double holds: its grades are too high')
            else {{ ideal_dcg(ideal, asked_cutoff('asked')) }}
        end as {{ ideal_dcg_column() }},
    {%- endif %}
    {%- if measure_ids is none or 'Compat' in measure_ids | join %}
        list({{ ideal }}.grade order by {{ ideal }}.rank) as ideal_grades,
    {%- endif %}
    {%- for cutoff in ideal_dcg_cutoffs(measure_ids or []) %}
        {{ ideal_dcg(ideal, cutoff) }} as {{ ideal_dcg_column(cutoff) }},
    {%- endfor %}
        max({{ ideal }}.grade) as highest_grade,
        cast(count({{ ideal }}.rank) as integer) as n_gainful
{%- endmacro %}

{#- The cutoffs of the measures that read the DCG of the ideal ranking, each once. -#}
{% macro ideal_dcg_cutoffs(measure_ids) %}
    {%- set cutoffs = [] -%}
    {%- for measure_id in measure_ids -%}
        {%- set parsed = parse_measure(measure_id) -%}
        {%- if parsed.name in ('nDCG', 'IdealDCG', 'nDCGRel', 'RnDCG') and parsed.cutoff not in cutoffs -%}
            {%- do cutoffs.append(parsed.cutoff) -%}
        {%- endif -%}
    {%- endfor -%}
    {{ return(cutoffs) }}
{% endmacro %}

{% macro ideal_dcg(ideal, cutoff) -%}
    coalesce(
        max({{ ideal }}.discounted_gain_so_far){% if cutoff %} filter (where {{ ideal }}.rank <= {{ cutoff }}){% endif %},
        0
    )
{%- endmacro %}

{#-
    Whether a list is whole under a treatment of unjudged documents. A condensed list consists of the judged documents
    alone, moved up. A requested measure with `judged_only` asks for such a list too.
-#}
{% macro is_whole_list(is_asked, unjudged='unjudged') -%}
    {{ unjudged }} = 'nonrelevant'
    {%- if is_asked %} and not {{ asked_parameter('asked', 'judged_only', 'false') }}{% endif -%}
{%- endmacro %}

{#-
    The rank by which a document counts, the number of unjudged documents of the pool before it, and the length of
    its ranking, under a treatment of unjudged documents. In a condensed list, the other documents have no rank.
-#}
{% macro treated_columns(documents, is_asked=false) -%}
    {%- set is_whole = is_whole_list(is_asked) -%}
    case
        when {{ is_whole }} then {{ documents }}.full_rank
        when {{ documents }}.is_relevant is not null then {{ documents }}.nth_judged
    end as rank,
    {{ documents }}.nth_judged,
    case when {{ is_whole }} then {{ documents }}.nth_pooled_unjudged else 0 end as nth_pooled_unjudged,
    case when {{ is_whole }} then full_length end as n_retrieved
{%- endmacro %}

{#-
    The rank of the ideal ranking that a document's rank is compared with; below the end of the ideal ranking, its
    last rank. Null for the empty row of a ranking, for which `least` alone would give the last rank.
-#}
{% macro rank_in_ideal(documents) -%}
    case when {{ documents }}.rank is not null then least({{ documents }}.rank, {{ documents }}.n_gainful) end
{%- endmacro %}
