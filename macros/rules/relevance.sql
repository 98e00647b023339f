{#- A negative grade means "in the pool, unjudged" (infAP). Every other grade is a judgement. -#}
{% macro is_judged(grade) -%}
    {{ grade }} >= 0
{%- endmacro %}

{#- A document is relevant where its grade reaches the threshold of the collection. -#}
{% macro is_relevant(grade, threshold) -%}
    ({{ is_judged(grade) }} and {{ grade }} >= {{ threshold }})
{%- endmacro %}

{#- The lowest grade of any scale. TREC writes -1 and -2 for documents that were pooled and not judged. -#}
{% macro lowest_grade() -%}
    -2
{%- endmacro %}
