{#-
    Accuracy, as in ir_measures: the share of pairs of a relevant and another document, both retrieved in the top k,
    in which the relevant one comes first. 1 where every document is relevant, and 0 where none is.
-#}
{% macro measure_accuracy(m) -%}
    {%- set n = 'count(*) filter (where ' ~ m.is_relevant ~ ' and ' ~ m.within ~ ')' -%}
    {%- set n_others = '(' ~ n_looked_at(m) ~ ' - ' ~ n ~ ')' -%}
    case
        when {{ n }} = 0 then 0
        when {{ n_others }} = 0 then 1
        -- the other documents above the nth relevant one are its rank, less n
        else 1 - (
            sum(cast(rank as bigint)) filter (where {{ m.is_relevant }} and {{ m.within }}) - {{ n }} * ({{ n }} + 1) / 2
        ) / ({{ n }} * {{ n_others }})
    end
{%- endmacro %}

{% macro signature_of_accuracy() %}
    {{ return({
        'name': 'Accuracy', 'rows': 'judged', 'cutoff': 'allowed', 'parameters': {'rel': none}, 'ties': 'unknown'
    }) }}
{% endmacro %}
