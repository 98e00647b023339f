{#-
    The SQL aggregate of a measure in ir_measures' notation, such as `P@10` or `RBP(p=0.8)@10`, over
    the judged documents of one ranking (a group). Its rows have rank, grade, is_relevant and
    nth_relevant (relevant documents down to this rank); the group has n_relevant and the ideal
    gains (ideal_dcg_column). Documents that are not among the rows count as not relevant.
-#}
{% macro measure(measure_id) -%}
    {%- set parsed = parse_measure(measure_id) -%}
    {%- do check_measure(measure_id, parsed) -%}
    {{ context['measure_' ~ parsed.name | lower](parsed.cutoff, parsed.parameters) }}
{%- endmacro %}

{#- A cutoff or parameter that the macro would pass over must not give a wrong number a right name. -#}
{% macro check_measure(measure_id, parsed) %}
    {%- set known = {
        'P': {'cutoff': 'needed', 'parameters': []},
        'AntiP': {'cutoff': 'needed', 'parameters': []},
        'R': {'cutoff': 'needed', 'parameters': []},
        'RBP': {'cutoff': 'allowed', 'parameters': ['p']},
        'nDCG': {'cutoff': 'allowed', 'parameters': []},
        'AP': {'cutoff': 'none', 'parameters': []},
        'RR': {'cutoff': 'none', 'parameters': []},
        'Rprec': {'cutoff': 'none', 'parameters': []},
    }.get(parsed.name) -%}
    {%- set problem =
        'is not a measure that Poolhouse computes' if not known
        else 'needs a cutoff' if known.cutoff == 'needed' and not parsed.cutoff
        else 'takes no cutoff' if known.cutoff == 'none' and parsed.cutoff
        else 'takes the parameters ' ~ known.parameters if parsed.parameters | list | sort != known.parameters
    -%}
    {%- if problem -%}
        {%- do exceptions.raise_compiler_error(measure_id ~ ' ' ~ problem) -%}
    {%- endif -%}
{% endmacro %}

{#- One column per measure, named by it, to be selected from judged documents by ranking. -#}
{% macro measure_columns(measure_ids) -%}
    {%- for measure_id in measure_ids -%}
        cast({{ measure(measure_id) }} as double) as "{{ measure_id }}"{{ ',\n        ' if not loop.last }}
    {%- endfor -%}
{%- endmacro %}

{#- `RBP(p=0.8)@10` -> name RBP, parameters {p: '0.8'}, cutoff 10 (none where there is no @). -#}
{% macro parse_measure(measure_id) %}
    {%- set match = modules.re.match('^(\\w+)(?:\\(([^)]*)\\))?(?:@(\\d+))?$', measure_id) -%}
    {%- if not match -%}
        {{ exceptions.raise_compiler_error("not a measure in ir_measures' notation: " ~ measure_id) }}
    {%- endif -%}
    {%- set parameters = {} -%}
    {%- for pair in (match.group(2) or '').split(',') if pair -%}
        {%- do parameters.update({pair.split('=')[0].strip(): pair.split('=')[1].strip()}) -%}
    {%- endfor -%}
    {{ return({
        'name': match.group(1),
        'parameters': parameters,
        'cutoff': (match.group(3) | int) if match.group(3) else none,
    }) }}
{% endmacro %}

{#- One row per measure from one column per measure. -#}
{% macro unpivot_measures(relation, measure_ids) -%}
    {{ return(adapter.dispatch('unpivot_measures')(relation, measure_ids)) }}
{%- endmacro %}

{% macro default__unpivot_measures(relation, measure_ids) -%}
    unpivot {{ relation }}
    on {% for measure_id in measure_ids %}"{{ measure_id }}"{{ ', ' if not loop.last }}{% endfor %}
    into name measure value score
{%- endmacro %}

{#- `value` over `total`, and 0 where there is nothing to find, as trec_eval has it. -#}
{% macro over_total(value, total) -%}
    coalesce({{ value }} / nullif({{ total }}, 0), 0)
{%- endmacro %}
