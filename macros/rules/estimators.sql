{#- The name of the adjustment by inference from systems, as in the paper and as others understood it. -#}
{% macro webber_park_estimator(has_substitution) -%}
    case
        when {{ has_substitution }} then 'webber_park_systems'
        else 'webber_park_systems_no_substitution'
    end
{%- endmacro %}
