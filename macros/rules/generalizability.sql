{#-
    Generalizability theory, of runs that all answer all topics (Urbano et al. 2013; docs/decisions/generalizability.md).
    Both are effects that were drawn at random, one score each.
-#}

{#- What the runs, or the topics, add to the variance of a score; as much as chance alone gives counts as none. -#}
{% macro variance_component(mean_square, error_mean_square, n_scores) -%}
    {%- set component = '(' ~ mean_square ~ ' - ' ~ error_mean_square ~ ') / ' ~ n_scores -%}
    {{ unsigned_zero('greatest(' ~ comparable_square(component) ~ ', 0)') }}
{%- endmacro %}

{#- E rho^2: how much of the variance of differences between mean scores is due to the runs. -#}
{% macro generalizability(run_variance, residual_variance, n_topics) -%}
    {{ run_variance }} / nullif({{ run_variance }} + {{ residual_variance }} / {{ n_topics }}, 0)
{%- endmacro %}

{#- Phi: the same of the mean scores themselves, which the choice of topics moves as well. -#}
{% macro dependability(run_variance, topic_variance, residual_variance, n_topics) -%}
    {{ run_variance }}
    / nullif({{ run_variance }} + ({{ topic_variance }} + {{ residual_variance }}) / {{ n_topics }}, 0)
{%- endmacro %}
