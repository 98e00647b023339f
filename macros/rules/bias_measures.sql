{#- The measures whose bias is estimated, parsed: a list of {id, name, cutoff, parameters, residual}.
    The residual is the measure of what is unjudged: a score lies between itself and its sum with that. -#}
{% macro bias_measures() %}
    {%- set measures = [] -%}
    {%- for measure_id in var('bias_measures') -%}
        {%- if not modules.re.fullmatch(bias_measure_pattern(), measure_id) -%}
            {%- do exceptions.raise_compiler_error(
                'bias_measures: ' ~ measure_id ~ ' is not P@k or RBP[(p=0.8)]@k, k at most 1000'
            ) -%}
        {%- endif -%}
        {%- set parsed = parse_measure(measure_id) -%}
        {%- set residual = 'UnjudgedRate@' ~ parsed.cutoff if parsed.name == 'P' else measure_id | replace('RBP', 'RBPResidual') -%}
        {%- do parsed.update({'cutoff': parsed.cutoff | int, 'residual': residual}) -%}
        {%- do measures.append(parsed) -%}
    {%- endfor -%}
    {{ return(measures) }}
{% endmacro %}

{#-
    How such a measure is written, as a regular expression. It is cut where rankings of TREC end: a merged
    ranking is kept down to the deepest cutoff, for every pair of runs.
-#}
{% macro bias_measure_pattern() -%}
    ({{ additive_pattern() }})@([1-9][0-9]{0,2}|1000)
{%- endmacro %}

{#-
    The same less the cutoff: a measure that adds up a weight for each document that is relevant by the
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

{#- Cutoffs of precision among them, ascending. -#}
{% macro precision_cutoffs() %}
    {{ return(bias_measures() | selectattr('name', 'equalto', 'P') | map(attribute='cutoff') | sort | list) }}
{% endmacro %}

{#- The deepest rank that any of them looks at. -#}
{% macro deepest_cutoff() %}
    {{ return(bias_measures() | map(attribute='cutoff') | max) }}
{% endmacro %}

{#- The measures by which a left-out run is scored: the above, and anti-precision at their cutoffs. -#}
{% macro left_out_measures() %}
    {%- set measure_ids = var('bias_measures') | list -%}
    {%- for cutoff in precision_cutoffs() -%}
        {%- do measure_ids.append('AntiP@' ~ cutoff) -%}
    {%- endfor -%}
    {{ return(measure_ids) }}
{% endmacro %}

{#- The measures by which a new run is scored: the above, and what is unjudged down to their cutoffs. -#}
{% macro new_run_measures() %}
    {{ return(left_out_measures() + bias_measures() | map(attribute='residual') | unique | list) }}
{% endmacro %}
