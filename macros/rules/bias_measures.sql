{#-
    The measures whose bias is estimated, parsed into a list of {id, name, cutoff, parameters}. Their cutoffs end where
    rankings of TREC end (seeds/settings.csv), because a merged ranking is kept down to the deepest cutoff for every pair
    of runs.
-#}
{% macro bias_measures() %}
    {%- set measures = [] -%}
    {%- for measure_id in var('bias_measures') -%}
        {%- set parsed = parse_measure(measure_id) -%}
        {%- do parsed.update({'cutoff': parsed.cutoff | int}) -%}
        {%- do measures.append(parsed) -%}
    {%- endfor -%}
    {{ return(measures) }}
{% endmacro %}

{#- Cutoffs of precision among these measures, ascending. -#}
{% macro precision_cutoffs() %}
    {{ return(bias_measures() | selectattr('name', 'equalto', 'P') | map(attribute='cutoff') | sort | list) }}
{% endmacro %}

{#- The deepest cutoff of these measures. -#}
{% macro deepest_cutoff() %}
    {{ return(bias_measures() | map(attribute='cutoff') | max) }}
{% endmacro %}
