{#-
    What is advised on the score of a run that was not pooled (docs/decisions/advice.md): an estimate inside the
    bounds of the score, where the errors of estimates say something about this run.
-#}

{#- An estimate, moved to the nearer bound where it lies outside of them. -#}
{% macro clipped(estimate, lower_bound, upper_bound) -%}
    least(greatest({{ estimate }}, {{ lower_bound }}), {{ upper_bound }})
{%- endmacro %}

{#-
    Whether the errors of estimates say something about a run. They are means over pooled runs without their
    organizations. In simulations they hold for runs up to the mean of these. Directly beyond it the error is twice
    as large, and then more (benchmarks/advice_limit.py). Expected relevance looks at the documents of the run, and has
    a limit of its own.
-#}
{% macro is_like_measured_runs(residual, largest_residual) -%}
    {{ comparable(residual) }} <= {{ comparable(largest_residual) }}
{%- endmacro %}

{#-
    The advice on a score. `estimator` is the recommended one, and is null where the errors of estimates could not be
    measured.
-#}
{% macro advice_on(is_pooled, residual, largest_residual, estimator) -%}
    case
        when {{ is_pooled }} then 'pooled'
        when {{ comparable(residual) }} = 0 then 'nothing unjudged'
        when {{ estimator }} is not null and {{ is_like_measured_runs(residual, largest_residual) }} then 'estimated'
        else 'cannot be told'
    end
{%- endmacro %}
