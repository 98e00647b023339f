{#- That only some topics of a collection have judgements, in words; null where all have some, or none has. -#}
{% macro topics_caveat(n_judged_topics, n_known_topics) -%}
    case
        when {{ n_judged_topics }} > 0 and {{ n_judged_topics }} < {{ n_known_topics }}
            then {{ n_judged_topics }} || ' of ' || {{ n_known_topics }} || ' topics have judgements'
    end
{%- endmacro %}
