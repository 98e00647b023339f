{#-
    Pseudo-qrels: a random share of the pool replaces the relevant documents (Soboroff et al. 2001, as described in
    Baillie et al. 2008, 4.2.4).
-#}

{#- The number of pooled documents of a topic that are drawn: the share of them, rounded, and at least one. -#}
{% macro n_drawn(n_documents, share) -%}
    cast(greatest(1, round({{ n_documents }} * cast({{ share }} as double))) as integer)
{%- endmacro %}

{#- A message that says why a measure cannot be computed with pseudo-qrels; null where it can. It reads the CTE `hints`. -#}
{% macro problem_with_pseudo_qrels(measure) -%}
    coalesce(
        hints.problem,
        case
            when not {{ is_asked_of(measure, 'gains') }}
                then {{ measure }} || ' is not a measure of relevant documents alone, and pseudo-qrels have no other judgements'
            when {{ is_on_demand(measure) }}
                then {{ measure }} || ' has a parameter that pseudo-qrels cannot follow'
            when {{ asked_parameter(measure, 'rel') }} is not null
                then {{ measure }} || ' asks for a grade, and pseudo-qrels have none'
        end
    )
{%- endmacro %}
