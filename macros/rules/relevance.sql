{#- A negative grade says "in the pool, unjudged" (infAP); every other one is a judgement. -#}
{% macro is_judged(grade) -%}
    {{ grade }} >= 0
{%- endmacro %}

{#- Relevant at the collection's threshold or above. -#}
{% macro is_relevant(grade, threshold) -%}
    ({{ is_judged(grade) }} and {{ grade }} >= {{ threshold }})
{%- endmacro %}

{#- The lowest grade of any scale: TREC writes -1 and -2 for what was pooled and not judged. -#}
{% macro lowest_grade() -%}
    -2
{%- endmacro %}
