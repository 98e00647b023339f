{#- A score as trec_eval stores it, a 32-bit float. As in C, a number beyond its range becomes infinity. -#}
{% macro as_float32(score) -%}
    coalesce(try_cast({{ score }} as float), sign({{ score }}) * cast('infinity' as float))
{%- endmacro %}
