{#-
    What the versions 9 and 10 of trec_eval do differently with a score (docs/decisions/trec_eval_versions.md). The
    setting `trec_eval` is the version that scores follow.
-#}

{#- The version that scores follow, as a number, however dbt's option wrote it. -#}
{% macro trec_eval_version() %}
    {{ return(var('trec_eval') | int) }}
{% endmacro %}

{#- The version that scores do not follow. -#}
{% macro other_version() %}
    {{ return({9: 10, 10: 9}[trec_eval_version()]) }}
{% endmacro %}

{#- A score as a version compares it: version 9 reads it as a 32-bit float, version 10 as a double. -#}
{% macro score_as_read(score, version=none) -%}
    {{- as_float32(score) if (version or trec_eval_version()) == 9 else score -}}
{%- endmacro %}

{#-
    The rank in version 9, by which old pools were made, whatever version scores follow. `other_version_rank` is null in
    a list that both versions order alike.
-#}
{% macro rank_in_version_9(rankings) -%}
    {%- if trec_eval_version() == 9 -%}
        {{ rankings }}.rank
    {%- else -%}
        coalesce({{ rankings }}.other_version_rank, {{ rankings }}.rank)
    {%- endif -%}
{%- endmacro %}
