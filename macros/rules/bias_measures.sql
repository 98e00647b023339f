{#- The measures whose bias is estimated, parsed into a list of {id, name, cutoff, parameters}. -#}
{% macro bias_measures() %}
    {%- set measures = [] -%}
    {%- for measure_id in var('bias_measures') -%}
        {%- if not modules.re.fullmatch(bias_measure_pattern(), measure_id) -%}
            {%- do exceptions.raise_compiler_error(
                'bias_measures: ' ~ measure_id ~ ' is not P@k or RBP[(p=0.8)]@k, k at most 1000'
            ) -%}
        {%- endif -%}
        {%- set parsed = parse_measure(measure_id) -%}
        {%- do parsed.update({'cutoff': parsed.cutoff | int}) -%}
        {%- do measures.append(parsed) -%}
    {%- endfor -%}
    {{ return(measures) }}
{% endmacro %}

{#-
    The notation of such a measure, as a regular expression. The cutoff ends where rankings of TREC end, because a
    merged ranking is kept down to the deepest cutoff for every pair of runs.
-#}
{% macro bias_measure_pattern() -%}
    ({{ additive_pattern() }})@([1-9][0-9]{0,2}|1000)
{%- endmacro %}

{#-
    The same notation without the cutoff: a measure that adds up a weight for each document that is relevant by the
    threshold of the collection.
-#}
{% macro additive_pattern() -%}
    {%- set patterns = [] -%}
    {%- for name in ['P', 'RBP'] -%}
        {%- set parameters = dict(measure_signatures()[name].parameters) -%}
        {%- do parameters.pop('rel') -%}
        {%- do patterns.append(measure_pattern({'name': name, 'cutoff': 'none', 'parameters': parameters})) -%}
    {%- endfor -%}
    {{ patterns | join('|') }}
{%- endmacro %}

{#- Cutoffs of precision among these measures, ascending. -#}
{% macro precision_cutoffs() %}
    {{ return(bias_measures() | selectattr('name', 'equalto', 'P') | map(attribute='cutoff') | sort | list) }}
{% endmacro %}

{#- The deepest cutoff of these measures. -#}
{% macro deepest_cutoff() %}
    {{ return(bias_measures() | map(attribute='cutoff') | max) }}
{% endmacro %}
