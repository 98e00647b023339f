{#-
    trec_eval's name of a measure; null where trec_eval does not have the measure. In trec_eval a relevance level is
    an option, and not part of the name. `measures` is the CTE of the seed. The other arguments are expressions,
    null where the measure has no such number.
-#}
{% macro trec_eval_name(measures, cutoff, recall_level, relevance_level) -%}
    case
        when {{ recall_level }} is not null
            then replace({{ measures }}.trec_eval_name_at_cutoff, '_k', printf('_%.2f', {{ recall_level }}))
        when {{ cutoff }} is not null
            then replace({{ measures }}.trec_eval_name_at_cutoff, '_k', '_' || {{ cutoff }})
        else {{ measures }}.trec_eval_name
    end || coalesce(' with -l ' || {{ relevance_level }}, '')
{%- endmacro %}

{#-
    trec_eval's name of a measure that an argument requests; null where the measure has another parameter than a
    relevance level, because trec_eval has an option or a name of its own for it.
-#}
{% macro asked_trec_eval_name(measure, measures) -%}
    {%- set number = "nullif(regexp_extract(" ~ measure ~ ", '@([0-9.]+)$', 1), '')" -%}
    case when not regexp_matches(replace({{ measure }}, 'rel=', ''), '=') then {{ trec_eval_name(
        measures,
        'case when not ' ~ has_recall_level(measure) ~ ' then ' ~ number ~ ' end',
        'case when ' ~ has_recall_level(measure) ~ ' then cast(' ~ number ~ ' as double) end',
        'cast(' ~ asked_parameter(measure, 'rel') ~ ' as integer)'
    ) }} end
{%- endmacro %}

{#- Whether the number after the @ is a recall level, or a multiple of R, and not a rank. -#}
{% macro has_recall_level(measure) -%}
    {%- set names = [] -%}
    {%- for signature in measure_signatures().values() if signature.cutoff in ('recall', 'multiple') -%}
        {%- do names.append("'" ~ signature.name ~ "'") -%}
    {%- endfor -%}
    ({{ asked_name(measure) }} in ({{ names | join(', ') }}))
{%- endmacro %}
