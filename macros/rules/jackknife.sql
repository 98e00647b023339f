{#-
    The variance of an estimate from its values without each part in turn, such as a topic (Efron & Stein 1981): an
    aggregate over the rows without a part. Null where fewer than two parts have a value.
-#}
{% macro jackknife_variance(value, is_without_part) -%}
    nullif(count({{ value }}) filter (where {{ is_without_part }}) - 1, 0)
        * var_pop({{ value }}) filter (where {{ is_without_part }} and {{ value }} is not null)
{%- endmacro %}

{#- The columns of an interval of 95 % by Student's t, within bounds; `quantile` is a row of t_quantiles. -#}
{% macro interval_of_95(estimate, standard_error, quantile, name, least=none, most=none) -%}
    {%- set distance = quantile ~ '.t_95 * ' ~ standard_error -%}
    {%- for end, sign, bound, inner in [('low', '-', least, 'greatest'), ('high', '+', most, 'least')] -%}
        {#- the larger of a number and null is the number -#}
        {%- set value = estimate ~ ' ' ~ sign ~ ' ' ~ distance -%}
        {%- if bound is none -%}
            {{ value }}
        {%- else -%}
            case when {{ distance }} is not null then {{ inner }}({{ value }}, {{ bound }}) end
        {%- endif %} as {{ name }}_{{ end }}{{ ',\n        ' if not loop.last }}
    {%- endfor -%}
{%- endmacro %}
