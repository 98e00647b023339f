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
    The advice on the score of a run if it is pooled. `estimator` is the recommended one, and is null where the errors of
    estimates could not be measured.
-#}
{% macro advice_if_pooled(is_pooled, residual_if_pooled, largest_residual, estimator) -%}
    case
        when {{ is_pooled }} then 'pooled'
        when {{ comparable(residual_if_pooled) }} = 0 then 'nothing unjudged'
        when {{ estimator }} is not null and {{ is_like_measured_runs(residual_if_pooled, largest_residual) }} then 'estimated'
        else 'cannot be told'
    end
{%- endmacro %}

{#- Whether pooling the run has all its documents down to the cutoff judged, so that both scores are the same. -#}
{% macro is_judged_by_pooling(is_pooled, residual, residual_if_pooled) -%}
    (not {{ is_pooled }} and {{ comparable(residual) }} = {{ comparable(residual_if_pooled) }})
{%- endmacro %}

{#-
    The advice on the score of a run if all its documents down to the cutoff are judged. Below the pool depth, expected
    relevance alone says something.
-#}
{% macro advice_if_judged(residual, largest_residual_if_judged, is_same, advice_if_pooled) -%}
    case
        when {{ comparable(residual) }} = 0 then 'nothing unjudged'
        when {{ is_same }} then {{ advice_if_pooled }}
        when {{ is_like_measured_runs(residual, largest_residual_if_judged) }} then 'estimated'
        else 'cannot be told'
    end
{%- endmacro %}

{#-
    The advice on an expected score by any measure, of a CTE with its doubts: expected relevance says something where the
    score has an interval, the pool has enough organizations, and enough of the weight is judged.
-#}
{% macro advice_on_expected_score(scores, n_organizations) -%}
    case
            when {{ scores }}.in_doubt = 0 then 'nothing unjudged'
            when
                {{ scores }}.ci_95_low is not null
                and {{ n_organizations }} >= {{ fewest_organizations() }}
                and {{ is_like_measured_runs(scores ~ '.unjudged_share', largest_unjudged_share()) }}
                then 'estimated'
            else 'cannot be told'
        end
{%- endmacro %}

{#-
    The absolute error that is expected of an estimate inside the bounds of its score. The interval of 68 % knows the run,
    and half of it is a standard deviation. The mean distance from the mean of a normal distribution is sqrt(2 / pi) of it.
    Without an interval, the mean error of the left-out runs holds for a run that has no more unjudged documents than they
    had on average, and says nothing of another one.
-#}
{% macro expected_error(low, high, left_out_error, residual, mean_residual, clipped, lower_bound, upper_bound) -%}
    {%- set largest -%}
        greatest({{ clipped }} - {{ lower_bound }}, {{ upper_bound }} - {{ clipped }})
    {%- endset -%}
    case
            -- least alone would leave out a null
            when {{ low }} is not null then least(sqrt(2 / pi()) * ({{ high }} - {{ low }}) / 2, {{ largest }})
            when {{ left_out_error }} is not null and {{ is_like_measured_runs(residual, mean_residual) }}
                then least({{ left_out_error }}, {{ largest }})
        end
{%- endmacro %}
