{#- A negative grade says "in the pool, unjudged" (infAP); every other one is a judgement. -#}
{% macro is_judged(grade) -%}
    {{ grade }} >= 0
{%- endmacro %}

{#- Relevant at the collection's threshold or above. -#}
{% macro is_relevant(grade, threshold) -%}
    ({{ is_judged(grade) }} and {{ grade }} >= {{ threshold }})
{%- endmacro %}
