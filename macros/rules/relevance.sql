{#-
    The grade that counts. A grade below 0 that is a judgement (spam, junk) counts as 0: it is judged, not relevant, and
    has no gain. `judged_from` is the lowest grade that is a judgement, 0 or less.
-#}
{% macro counted_grade(grade, judged_from) -%}
    case when {{ grade }} between {{ judged_from }} and -1 then 0 else {{ grade }} end
{%- endmacro %}

{#- A counted grade below 0 means "in the pool, unjudged" (infAP). Every other one is a judgement. -#}
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
