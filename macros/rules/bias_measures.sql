{#- The measures whose bias is estimated, parsed: a list of {id, name, cutoff, parameters, residual}.
    The residual is the measure of what is unjudged: a score lies between itself and its sum with that. -#}
{% macro bias_measures() %}
    {%- set measures = [] -%}
    {%- for measure_id in var('bias_measures') -%}
        {%- set parsed = parse_measure(measure_id) -%}
        {%- if parsed.name not in ['P', 'RBP'] or not parsed.cutoff -%}
            {%- do exceptions.raise_compiler_error('bias_measures: ' ~ measure_id ~ ' is not P or RBP with a cutoff') -%}
        {%- endif -%}
        {%- set residual = 'UnjudgedRate@' ~ parsed.cutoff if parsed.name == 'P' else measure_id | replace('RBP', 'RBPResidual') -%}
        {%- do parsed.update({'cutoff': parsed.cutoff | int, 'residual': residual}) -%}
        {%- do measures.append(parsed) -%}
    {%- endfor -%}
    {{ return(measures) }}
{% endmacro %}

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
