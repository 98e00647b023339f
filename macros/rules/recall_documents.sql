{#-
    The number of relevant documents that a recall level asks for. trec_eval 9 cuts, version 10 rounds half away from
    zero, both in doubles: 0.7 of 3 gives 2.0999999999999996.
-#}
{% macro recall_documents(level, n_relevant, version=none) -%}
    {%- set share = 'cast(' ~ level ~ ' as double) * ' ~ n_relevant -%}
    {%- if (version or trec_eval_version()) == 9 -%}
        floor({{ share }} + cast(0.9 as double))
    {%- else -%}
        round({{ share }})
    {%- endif -%}
{%- endmacro %}
