{#-
    Generalizability theory for runs that all answer all topics (Urbano et al. 2013;
    docs/decisions/generalizability.md). Runs and topics are random effects, with one score for each pair.
-#}

{#-
    The contribution of the runs, or of the topics, to the variance of a score. A contribution that chance alone
    explains counts as 0.
-#}
{% macro variance_component(mean_square, error_mean_square, n_scores) -%}
    {%- set component = '(' ~ mean_square ~ ' - ' ~ error_mean_square ~ ') / ' ~ n_scores -%}
    {{ unsigned_zero('greatest(' ~ comparable_square(component) ~ ', 0)') }}
{%- endmacro %}

{#- E rho^2: the share of the variance of differences between mean scores that is due to the runs. -#}
{% macro generalizability(run_variance, residual_variance, n_topics) -%}
    {{ run_variance }} / nullif({{ run_variance }} + {{ residual_variance }} / {{ n_topics }}, 0)
{%- endmacro %}

{#- Phi: the share of the variance of the mean scores themselves, which the choice of topics changes too. -#}
{% macro dependability(run_variance, topic_variance, residual_variance, n_topics) -%}
    {{ run_variance }}
    / nullif({{ run_variance }} + ({{ topic_variance }} + {{ residual_variance }}) / {{ n_topics }}, 0)
{%- endmacro %}
