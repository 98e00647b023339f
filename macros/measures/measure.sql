{#-
    A measure in ir_measures' notation, such as `P@10`, `AP(rel=2)` or `RBP(p=0.8)@10`, as a SQL aggregate over the
    rows of one ranking. The rows are the documents that are in the qrels, or one empty row where there are none.
    The columns of these rows are in rows.sql.

    Each measure is a file with two macros in this folder. `measure_<name>` is the aggregate, built from the
    requested parameters. `signature_of_<name>` says which parameters are possible (notation.sql).
-#}
{% macro measure(measure_id) -%}
    {%- set asked = parse_measure(measure_id) -%}
    {{ aggregate(asked.name, asked.cutoff, asked.parameters, ideal_dcg_column(asked.cutoff)) }}
{%- endmacro %}

{#- The same measure from its parts, each of which is a number or a SQL expression of a number. -#}
{% macro aggregate(name, cutoff, parameters, ideal_dcg, gain='grade', has_level=none) -%}
    {%- set level = '_' ~ parameters.rel if parameters.rel else '' -%}
    {{ context['measure_' ~ name | lower]({
        'cutoff': cutoff,
        'within': 'rank <= ' ~ cutoff if cutoff else 'true',
        'parameters': parameters,
        'gain': gain,
        'has_gain': 'grade > 0' if gain == 'grade' else gain ~ ' <> 0',
        'has_level': has_level or ('true' if level else 'false'),
        'is_relevant': 'is_relevant' ~ level,
        'nth_relevant': 'nth_relevant' ~ level,
        'n_relevant_column': 'n_relevant' ~ level,
        'n_relevant': 'any_value(n_relevant' ~ level ~ ')',
        'ideal_dcg': 'any_value(' ~ ideal_dcg ~ ')',
    }) }}
{%- endmacro %}

{#- One column per measure, named like the measure, to be selected from the rows of rankings, by ranking. -#}
{% macro measure_columns(measure_ids) -%}
    {%- for measure_id in measure_ids -%}
        cast({{ measure(measure_id) }} as double) as "{{ measure_id }}"{{ ',\n        ' if not loop.last }}
    {%- endfor -%}
{%- endmacro %}

{#- One row per measure from one column per measure. -#}
{% macro unpivot_measures(relation, measure_ids) -%}
    {{ return(adapter.dispatch('unpivot_measures')(relation, measure_ids)) }}
{%- endmacro %}

{% macro default__unpivot_measures(relation, measure_ids) -%}
    select *
    from {{ relation }}
    unpivot include nulls (
        score for measure in (
            {% for measure_id in measure_ids %}"{{ measure_id }}"{{ ', ' if not loop.last }}{% endfor %}
        )
    )
{%- endmacro %}

{#- `value` over `total`, and 0 where there is nothing to find, as in trec_eval. -#}
{% macro over_total(value, total) -%}
    coalesce({{ value }} / nullif({{ total }}, 0), 0)
{%- endmacro %}
