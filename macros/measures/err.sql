{#-
    Expected reciprocal rank (Chapelle et al. 2009): a document of grade g satisfies the reader with probability
    (2^g - 1) / 2^h, and the reader stops at the first document that satisfies. h is the highest grade of the scale:
    4 as in TREC's gdeval, whatever grades the collection has, unless max_rel names another one. Every positive grade
    counts, whatever the threshold.
-#}
{% macro measure_err(m) -%}
    {%- set highest = m.parameters.max_rel -%}
    coalesce(
        sum({{ p_unsatisfied_column(highest) }} * {{ err_satisfaction('grade', highest) }} / rank)
            filter (where grade > 0 and {{ m.within }}),
        0
    )
{%- endmacro %}

{% macro signature_of_err() %}
    {{ return({'name': 'ERR', 'rows': 'gains', 'cutoff': 'allowed', 'parameters': {'max_rel': 4}}) }}
{% endmacro %}

{#-
    Probability that a document of this grade satisfies. A grade above the highest of the scale counts as the highest.
-#}
{% macro err_satisfaction(grade, highest) -%}
    (pow(2, least(greatest({{ grade }}, 0), {{ highest }}) - {{ highest }}) - pow(2, -{{ highest }}))
{%- endmacro %}

{#-
    The columns p_unsatisfied, one for each highest grade of a scale in the given measures, or in the argument `asked`:
    the probability that no document above, over the window `ranking`, satisfied. It is a product, computed as a sum
    of logarithms.
-#}
{% macro p_unsatisfied_columns(measure_ids=none) -%}
    {%- set scales = [] if measure_ids is not none else [asked_parameter('asked', 'max_rel', 4)] -%}
    {%- for measure_id in measure_ids or [] if parse_measure(measure_id).name == 'ERR' -%}
        {%- do scales.append(parse_measure(measure_id).parameters.max_rel) -%}
    {%- endfor -%}
    {%- for highest in scales | unique -%}
        {#- never 0, which has no logarithm -#}
        {%- set unsatisfied = 'greatest(1 - ' ~ err_satisfaction('grade', highest) ~ ', 1e-300)' -%},
    exp(sum(ln({{ unsatisfied }})) over ranking - ln({{ unsatisfied }})) as {{ p_unsatisfied_column(highest) }}
    {%- endfor -%}
{%- endmacro %}

{#- The name of such a column; on demand, the highest grade is an expression, and there is one column. -#}
{% macro p_unsatisfied_column(highest) -%}
    p_unsatisfied{{ '_' ~ highest if modules.re.fullmatch('[0-9]+', highest | string) }}
{%- endmacro %}
