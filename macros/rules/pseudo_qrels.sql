{#-
    Pseudo-qrels: a share of the pool, drawn by lot, stands for the relevant documents (Soboroff et al. 2001, as Baillie
    et al. 2008, 4.2.4, have it).
-#}

{#- How many of a topic's pooled documents are drawn: the nearest number, and one at least. -#}
{% macro n_drawn(n_documents, share) -%}
    cast(greatest(1, round({{ n_documents }} * cast({{ share }} as double))) as integer)
{%- endmacro %}

{#- What is wrong with a measure that is asked of pseudo-qrels, for people; null where nothing is. -#}
{% macro problem_with_pseudo_qrels(measure) -%}
    case
        when {{ problem_with_asked(measure) }} is not null then {{ problem_with_asked(measure) }}
        when not {{ is_asked_of(measure, 'gains') }}
            then {{ measure }} || ' is no measure of relevant documents alone, which is all that pseudo-qrels tell'
        when {{ asked_parameter(measure, 'rel') }} is not null
            then {{ measure }} || ' asks for a grade, and pseudo-qrels have none'
    end
{%- endmacro %}
