{#-
    A score as trec_eval stores it, a 32-bit float. C turns a number beyond its range into infinity. Here it becomes
    the largest float, which ranks the same.
-#}
{% macro as_float32(score) -%}
    cast(greatest(least({{ score }}, 3.4028234663852886e38), -3.4028234663852886e38) as float)
{%- endmacro %}
