{#-
    Reciprocal rank of the first judged document; 0 where none is retrieved in the top k (Baillie et
    al. 2008, 3.1).
-#}
{% macro measure_arr(m) -%}
    coalesce(1 / min(rank) filter (where {{ m.is_relevant }} is not null and {{ m.within }}), 0)
{%- endmacro %}

{% macro signature_of_arr() %}
    {{ return({'name': 'ARR', 'rows': 'judged', 'cutoff': 'allowed', 'parameters': {}}) }}
{% endmacro %}
