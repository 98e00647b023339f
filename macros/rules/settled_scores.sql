{#-
    What the estimators make of a run of whose top documents none is unjudged, over all topics that are
    scored: nothing is open, and its score stands. By themselves they add to every run what other runs
    or topics gain (docs/decisions/new_runs.md). Each macro reads `n_unjudged`, the documents that are.
-#}

{#- An estimate, or the score that stands. -#}
{% macro unless_settled(estimate, score) -%}
    case when n_unjudged = 0 then {{ score }} else {{ estimate }} end
{%- endmacro %}

{#- Its standard error: 0 where the score stands. -#}
{% macro unless_settled_error(standard_error) -%}
    case when n_unjudged = 0 then 0.0 else {{ standard_error }} end
{%- endmacro %}

{#- What a standard error is compared for: null where there is none, or nothing to decide. -#}
{% macro verdict_by_error(verdict, standard_error) -%}
    case when n_unjudged > 0 and {{ standard_error }} is not null then {{ verdict }} end
{%- endmacro %}

{#- Whether an estimate lies where the score could not, whatever the unjudged documents are. -#}
{% macro is_outside_bounds(estimate, lower_bound, upper_bound) -%}
    {{ comparable(estimate) }} not between {{ comparable(lower_bound) }} and {{ comparable(upper_bound) }}
{%- endmacro %}
