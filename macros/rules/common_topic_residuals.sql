{#-
    Inference from topics with the help of the residual (Cochran, Sampling Techniques, third edition, chapters 6 and
    7). The gain of a run where it is judged is known on the common topics alone. The unjudged weight, the residual,
    is known on all topics, and a run cannot gain more than that weight. y is the gain delta, x is the residual e,
    and N, n and C are those of common_topics.sql. Both estimators are for scores in which unjudged documents are
    not relevant (docs/decisions/common_topics.md).
-#}

{#-
    The residual of a topic: the weight of its top documents minus the weight of the judged ones. Subtracted floats
    leave a last digit, which is set to 0 where nothing is unjudged.
-#}
{% macro residual(n_unjudged, weight, judged_weight) -%}
    case when {{ n_unjudged }} = 0 then 0.0 else round({{ weight }} - ({{ judged_weight }}), 12) end
{%- endmacro %}

{#-
    The figures of the residuals, from rows of `true_score`, `unpooled_score` and `residual` of one topic each, in
    addition to common_topic_columns. Topics that are not common do not count.
-#}
{% macro common_residual_columns(topics) -%}
    {%- set residual = 'case when ' ~ topics ~ '.true_score is not null then ' ~ topics ~ '.residual end' -%}
    avg({{ residual }}) as common_residual,
    var_samp({{ residual }}) as residual_variance,
    covar_samp({{ topics }}.true_score - {{ topics }}.unpooled_score, {{ topics }}.residual) as residual_covariance,
    {{ comparable('max(' ~ residual ~ ') - min(' ~ residual ~ ')') }} = 0 as has_equal_residuals
{%- endmacro %}

{#-
    The adjustments, from these columns, the columns of common_topic_columns, and `mean_residual`, the mean of e
    over all N. Where the residuals tell nothing, both estimates are equal to the one without residuals. For the
    ratio that is where the residuals of C add up to 0, and for the regression where they are all equal, so that
    there is no line through them. Each adjustment comes with the variance that sample_mean_variance turns into its
    own variance. Two topics determine a line without any error to measure, so there is no regression for two
    topics.
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

{#- R, the ratio of the sums over C (6.1): the actual gain over the possible gain. -#}
{% macro gain_ratio() -%}
    adjustment / nullif(common_residual, 0)
{%- endmacro %}

{#-
    The sum of (delta_i - R e_i)^2 over n - 1 (6.13). These differences add up to 0, so the result is their
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

{#- The sum of the squares around that line, over n - 1. -#}
{% macro regression_variance() -%}
    case
        when has_equal_residuals then delta_variance
        else {{ unless_noise(
            'delta_variance - ' ~ gain_slope() ~ ' * residual_covariance', 'delta_variance'
        ) }}
    end
{%- endmacro %}

{#- The remainder of a sum from which nearly all is subtracted, where the last digits of floats count as 0. -#}
{% macro unless_noise(rest, whole) -%}
    case when {{ rest }} <= 1e-12 * ({{ whole }}) then 0.0 else {{ rest }} end
{%- endmacro %}

{#-
    Degrees of freedom of Student's t: those of the mean of n topics, and one less for a line, because it has two
    parameters.
-#}
{% macro degrees_of_freedom(estimator, n_common_topics, is_fallback) -%}
    case
        when {{ estimator }} = 'regression_common_topics' and not {{ is_fallback }} then {{ n_common_topics }} - 2
        else {{ n_common_topics }} - 1
    end
{%- endmacro %}

{#-
    Rows of fct_topic_deltas, one for each estimator whose common topics are counted, with its `variance` over all
    topics. All runs have a row, including those without a variance.
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
    Number of common topics at which one of these estimators has a standard error of at most x. Where a line needs
    any common topics, it needs at least three.
-#}
{% macro common_topics_needed_by(estimator, variance, n_topics, standard_error) -%}
    {%- set needed = common_topics_needed(variance, n_topics, standard_error) -%}
    case
        when {{ estimator }} = 'regression_common_topics' and {{ needed }} in (1, 2) then least(3, {{ n_topics }})
        else {{ needed }}
    end
{%- endmacro %}
