{#-
    The estimates for a run whose top documents are all judged, over all topics that are scored: nothing is
    uncertain, so the score is not adjusted. Without this rule the estimators would add to every run what other runs
    or topics gain (docs/decisions/new_runs.md). Each macro reads `n_unjudged`, the number of unjudged documents.
-#}

{#- An estimate, or the score where it is not adjusted. -#}
{% macro unless_settled(estimate, score) -%}
    case when n_unjudged = 0 then {{ score }} else {{ estimate }} end
{%- endmacro %}

{#- The standard error of the estimate: 0 where the score is not adjusted. -#}
{% macro unless_settled_error(standard_error) -%}
    case when n_unjudged = 0 then 0.0 else {{ standard_error }} end
{%- endmacro %}

{#-
    The comparison for which a standard error is needed: null where there is no standard error, or nothing to
    decide.
-#}
{% macro verdict_by_error(verdict, standard_error) -%}
    case when n_unjudged > 0 and {{ standard_error }} is not null then {{ verdict }} end
{%- endmacro %}

{#- Whether an estimate lies outside the possible range of the score, whatever the unjudged documents are. -#}
{% macro is_outside_bounds(estimate, lower_bound, upper_bound) -%}
    {{ comparable(estimate) }} not between {{ comparable(lower_bound) }} and {{ comparable(upper_bound) }}
{%- endmacro %}
