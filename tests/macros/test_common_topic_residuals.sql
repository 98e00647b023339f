with

-- N = 4 topics: over all of them, unpooled scores have the mean 0.25, and residuals the mean 0.5
topics (case_name, true_score, unpooled_score, residual) as (

    values
    -- deltas are 0.2, 0.2 and 0.7 on residuals 0.2, 0.4 and 0.9: R = 1.1 / 1.5; delta - R e is 0.08, -0.14 and 0.06
    -- over 1.5. The line has b = 0.2 / 0.26; squares about it add up to 1 / 6 - 2 / 13 = 1 / 78
    ('three', 0.3, 0.1, 0.2),
    ('three', 0.3, 0.1, 0.4),
    ('three', 0.8, 0.1, 0.9),
    -- the fourth topic is not common: its residual does not count here
    ('three', null, 0.1, 0.7),
    -- gains are proportional to residuals: R = 1 / 3, and both estimates have no error
    ('in_proportion', 0.3, 0.2, 0.3),
    ('in_proportion', 0.4, 0.2, 0.6),
    ('in_proportion', 0.5, 0.2, 0.9),
    -- gains are on a line that does not go through 0: deltas 0.1, 0.2 and 0.3 on 0.5, 0.7 and 0.9, R = 0.6 / 2.1
    ('on_a_line', 0.3, 0.2, 0.5),
    ('on_a_line', 0.4, 0.2, 0.7),
    ('on_a_line', 0.5, 0.2, 0.9),
    -- the gain is the same on each topic: the line is level, and gains are not proportional; R = 0.3 / 1.2
    ('equal_deltas', 0.3, 0.2, 0.2),
    ('equal_deltas', 0.3, 0.2, 0.4),
    ('equal_deltas', 0.3, 0.2, 0.6),
    -- nothing is gained: R = 0
    ('nothing_gained', 0.2, 0.2, 0.2),
    ('nothing_gained', 0.3, 0.3, 0.6),
    ('nothing_gained', 0.3, 0.3, 0.1),
    -- residuals are equal but for float noise: there is no line; R = 0.5 / 0.9; s^2 is the deltas', 0.01 / 3
    ('equal_residuals', 0.4, 0.3, 0.1 + 0.2),
    ('equal_residuals', 0.5, 0.3, 0.3),
    ('equal_residuals', 0.5, 0.3, 0.3),
    -- nothing is unjudged: both are the estimate without residuals. Only conflicting judgements give deltas.
    ('nothing_unjudged', 0.4, 0.3, 0),
    ('nothing_unjudged', 0.5, 0.3, 0),
    ('nothing_unjudged', 0.5, 0.3, 0),
    -- two topics have no line: R = 0.4 / 0.8, and delta - R e is 0.1 and -0.1
    ('two_topics', 0.3, 0.1, 0.2),
    ('two_topics', 0.3, 0.1, 0.6),
    -- one topic has no variance: R = 0.5
    ('one_topic', 0.3, 0.1, 0.4),
    ('condensed', 0.3, 0.1, null),
    ('condensed', 0.3, 0.2, null),
    ('condensed', 0.3, 0.1, null)

),

expected (
    case_name, ratio, ratio_error, is_ratio_fallback, regression, regression_error, is_regression_fallback
) as (

    values
    (
        'three', 0.25 + 1.1 / 3, sqrt(1 / 12 * 0.0296 / 2.25 / 2), false,
        0.25 + 1.1 / 3, sqrt(1 / 12 / 78), false
    ),
    ('in_proportion', 0.25 + 0.5 / 3, null, false, 0.25 + 0.2 - 0.1 / 3, null, false),
    -- delta - R e is (-0.09, 0, 0.09) / 2.1
    ('on_a_line', 0.25 + 0.3 / 2.1, sqrt(1 / 12 * 0.0081 / 4.41), false, 0.25 + 0.1, null, false),
    -- delta - R e is 0.05, 0 and -0.05
    ('equal_deltas', 0.25 + 0.125, sqrt(1 / 12 * 0.0025), false, 0.35, null, false),
    ('nothing_gained', 0.25, null, false, 0.25, null, false),
    (
        'equal_residuals', 0.25 + 0.25 / 0.9, sqrt(1 / 12 * 0.01 / 3), false,
        0.25 + 0.5 / 3, sqrt(1 / 12 * 0.01 / 3), true
    ),
    (
        'nothing_unjudged', 0.25 + 0.5 / 3, sqrt(1 / 12 * 0.01 / 3), true,
        0.25 + 0.5 / 3, sqrt(1 / 12 * 0.01 / 3), true
    ),
    ('two_topics', 0.5, sqrt(2 / 8 * 0.02), false, null, null, null),
    ('one_topic', 0.5, null, false, null, null, null),
    ('condensed', null, null, null, null, null, null)

),

common as (

    select
        topics.case_name,
        {{ common_topic_columns('topics') }},
        {{ common_residual_columns('topics') }}
    from topics
    group by topics.case_name

),

with_all_topics as (

    select
        *,
        4 as n_topics,
        0.25 as unadjusted_score,
        case when case_name <> 'condensed' then 0.5 end as mean_residual
    from common

),

adjusted as (

    select
        *,
        {{ residual_adjustment_columns() }}
    from with_all_topics

),

estimates as (

    select
        case_name,
        is_ratio_fallback,
        is_regression_fallback,
        {{ residual_estimate_columns() }}
    from adjusted

),

compared as (

    {% for actual, wanted in [
        ('ratio_score', 'ratio'),
        ('ratio_standard_error', 'ratio_error'),
        ('cast(estimates.is_ratio_fallback as integer)', 'cast(expected.is_ratio_fallback as integer)'),
        ('regression_score', 'regression'),
        ('regression_standard_error', 'regression_error'),
        ('cast(estimates.is_regression_fallback as integer)', 'cast(expected.is_regression_fallback as integer)'),
    ] %}
        select
            estimates.case_name || ': {{ wanted }}' as case_name,
            {{ actual }} as actual,
            {{ wanted }} as expected
        from estimates
        inner join expected on estimates.case_name = expected.case_name
        union all
    {% endfor %}
    {% for case, n_unjudged, weight, judged, wanted in [
        ('nothing', '0', '0.3', '0.1 + 0.2', 0),
        ('something', '1', '0.9', '0.1 + 0.2', 0.6),
    ] %}
        select
            'residual: {{ case }}' as case_name,
            {{ residual(n_unjudged, weight, judged) }} as actual,
            {{ wanted }} as expected
        union all
    {% endfor %}
    {% for estimator, variance, wanted in [
        ('regression_common_topics', '0.0', 0),
        ('regression_common_topics', '0.01', 3),
        ('regression_common_topics', '0.1', 5),
        ('ratio_common_topics', '0.01', 1),
    ] %}
        select
            'needed: {{ estimator }}, {{ variance }}' as case_name,
            {{ common_topics_needed_by("'" ~ estimator ~ "'", variance, '10', '0.1') }} as actual,
            {{ wanted }} as expected
        {{ 'union all' if not loop.last }}
    {% endfor %}

)

{{ wrong_cases('compared', n_cases=66, tolerance=1e-9) }}
