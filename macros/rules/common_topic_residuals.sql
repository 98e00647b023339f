{#-
    Inference from topics with the help of the residual (Cochran, Sampling Techniques, third edition,
    chapters 6 and 7). What a run gains where it is judged is known on the common topics alone; how much
    of its weight is unjudged, the residual, is known on all of them, and what is not there cannot be
    gained. y is the gain delta, x the residual e, and N, n and C are those of common_topics.sql. Both
    are for scores in which unjudged documents are not relevant (docs/decisions/common_topics.md).
-#}

{#-
    The residual of a topic: the weight of its top documents less that of the judged ones. Floats that are
    subtracted leave a last digit, and where nothing is unjudged there is none.
-#}
{% macro residual(n_unjudged, weight, judged_weight) -%}
    case when {{ n_unjudged }} = 0 then 0.0 else round({{ weight }} - ({{ judged_weight }}), 12) end
{%- endmacro %}

{#-
    What the residuals tell, from rows of `true_score`, `unpooled_score` and `residual` of one topic each,
    beside common_topic_columns; topics that are not common do not count.
-#}
{% macro common_residual_columns(topics) -%}
    {%- set residual = 'case when ' ~ topics ~ '.true_score is not null then ' ~ topics ~ '.residual end' -%}
    avg({{ residual }}) as common_residual,
    var_samp({{ residual }}) as residual_variance,
    covar_samp({{ topics }}.true_score - {{ topics }}.unpooled_score, {{ topics }}.residual) as residual_covariance,
    {{ comparable('max(' ~ residual ~ ') - min(' ~ residual ~ ')') }} = 0 as has_equal_residuals
{%- endmacro %}

{#-
    The adjustments, from these columns, those of common_topic_columns and `mean_residual`, the mean of e over
    all N. Where the residuals tell nothing both are today's: for the ratio where those of C add up to 0, for
    the regression where they are all equal, so that no line goes through them. Each comes with the variance that
    sample_mean_variance turns into its own. A line through two topics leaves nothing to see its error by:
    there is no regression then.
-#}
{% macro residual_adjustment_columns() -%}
    {{ is_ratio_fallback() }} as is_ratio_fallback,
    case when {{ is_ratio_fallback() }} then adjustment else {{ gain_ratio() }} * mean_residual end
        as ratio_adjustment,
    {{ ratio_variance() }} as ratio_variance,
    case when n_common_topics > 2 then has_equal_residuals end as is_regression_fallback,
    case
        when n_common_topics > 2 and has_equal_residuals then adjustment
        when n_common_topics > 2
            then adjustment + {{ gain_slope() }} * (mean_residual - common_residual)
    end as regression_adjustment,
    case
        when n_common_topics > 2 and has_equal_residuals then delta_variance
        -- divisor n - 2 (7.29)
        when n_common_topics > 2
            then {{ regression_variance() }} * (n_common_topics - 1) / (n_common_topics - 2)
    end as regression_variance
{%- endmacro %}

{#- The estimates, from the columns of residual_adjustment_columns, `unadjusted_score` and `n_topics`. -#}
{% macro residual_estimate_columns() -%}
    unadjusted_score + ratio_adjustment as ratio_score,
    {{ standard_error_of_mean('ratio_variance') }} as ratio_standard_error,
    unadjusted_score + regression_adjustment as regression_score,
    {{ standard_error_of_mean('regression_variance') }} as regression_standard_error
{%- endmacro %}

{#- Whether nothing of C is unjudged, so that there is no ratio. -#}
{% macro is_ratio_fallback() -%}
    {{ comparable('common_residual') }} = 0
{%- endmacro %}

{#- R, the ratio of the sums over C (6.1): of what might be gained, so much was. -#}
{% macro gain_ratio() -%}
    adjustment / nullif(common_residual, 0)
{%- endmacro %}

{#-
    The sum of (delta_i - R e_i)^2 over n - 1 (6.13). These differences add up to 0, so that it is their
    variance.
-#}
{% macro ratio_variance() -%}
    case
        when {{ is_ratio_fallback() }} then delta_variance
        else {{ unless_noise(
            'delta_variance - 2 * ' ~ gain_ratio() ~ ' * residual_covariance + pow(' ~ gain_ratio() ~ ', 2) * residual_variance',
            'delta_variance + pow(' ~ gain_ratio() ~ ', 2) * residual_variance'
        ) }}
    end
{%- endmacro %}

{#- b, the slope of the line of delta over e by least squares (7.9). -#}
{% macro gain_slope() -%}
    residual_covariance / nullif(residual_variance, 0)
{%- endmacro %}

{#- The sum of the squares about that line, over n - 1. -#}
{% macro regression_variance() -%}
    case
        when has_equal_residuals then delta_variance
        else {{ unless_noise(
            'delta_variance - ' ~ gain_slope() ~ ' * residual_covariance', 'delta_variance'
        ) }}
    end
{%- endmacro %}

{#- What is left of a sum when nearly all of it is taken away: the last digits of floats are nothing. -#}
{% macro unless_noise(rest, whole) -%}
    case when {{ rest }} <= 1e-12 * ({{ whole }}) then 0.0 else {{ rest }} end
{%- endmacro %}

{#-
    Degrees of freedom of Student's t: those of the mean of n topics, and one less for a line, which has two
    parameters.
-#}
{% macro degrees_of_freedom(estimator, n_common_topics, is_fallback) -%}
    case
        when {{ estimator }} = 'regression_common_topics' and not {{ is_fallback }} then {{ n_common_topics }} - 2
        else {{ n_common_topics }} - 1
    end
{%- endmacro %}

{#-
    Rows of fct_topic_deltas, one for each estimator that common topics are counted for: its `variance` over all
    topics. All runs have a row, those without a variance too.
-#}
{% macro variance_by_estimator() -%}
    unpivot include nulls (
        variance for estimator in (
            delta_variance as webber_park_topics,
            ratio_variance as ratio_common_topics,
            regression_variance as regression_common_topics
        )
    )
{%- endmacro %}

{#-
    Common topics that give one of them a standard error of at most x. Where a line needs any, it needs
    three.
-#}
{% macro common_topics_needed_by(estimator, variance, n_topics, standard_error) -%}
    {%- set needed = common_topics_needed(variance, n_topics, standard_error) -%}
    case
        when {{ estimator }} = 'regression_common_topics' and {{ needed }} in (1, 2) then least(3, {{ n_topics }})
        else {{ needed }}
    end
{%- endmacro %}
