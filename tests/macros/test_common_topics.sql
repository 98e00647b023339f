with

-- N = 4 topics: over all of them, unpooled scores have the mean 0.25
topics (case_name, true_score, unpooled_score) as (

    values
    -- deltas 0.2 and 0.4 have mean 0.3 and variance 0.02; true scores 0.4 and 0.8 have mean 0.6 and variance 0.08
    ('two_of_four', 0.4, 0.2),
    ('two_of_four', 0.8, 0.4),
    -- deltas are equal: a standard error of zero would look like certainty, and so there is none
    ('equal_deltas', 0.3, 0.2),
    ('equal_deltas', 0.7, 0.6),
    -- deltas 0.1 and -0.1 give no adjustment; the true scores are equal, and their mean has no standard error
    ('nothing_to_adjust', 0.3, 0.2),
    ('nothing_to_adjust', 0.3, 0.4),
    -- one topic has no variance
    ('one_topic', 0.5, 0.2)

),

expected (
    case_name, mixed, sampled, adjusted, sampled_error, adjusted_error, is_smaller, is_beyond, is_equal
) as (

    values
    -- the mixed score is 0.25 + 0.3 * 2/4; the errors are sqrt(2/4 * 0.08 / 2) and sqrt(2/4 * 0.02 / 2)
    ('two_of_four', 0.4, 0.6, 0.55, sqrt(0.02), sqrt(0.005), true, true, false),
    ('equal_deltas', 0.3, 0.5, 0.35, sqrt(0.02), null, true, true, true),
    ('nothing_to_adjust', 0.25, 0.3, 0.25, null, sqrt(0.005), false, false, false),
    ('one_topic', 0.325, 0.5, 0.55, null, null, null, null, true)

),

common as (

    select
        topics.case_name,
        {{ common_topic_columns('topics') }}
    from topics
    group by topics.case_name

),

with_all_topics as (

    select
        *,
        4 as n_topics,
        0.25 as unadjusted_score
    from common

),

estimates as (

    select
        case_name,
        has_equal_deltas,
        {{ topic_estimate_columns() }}
    from with_all_topics

),

compared as (

    {% for actual, wanted in [
        ('mixed_score', 'mixed'),
        ('sampled_score', 'sampled'),
        ('adjusted_score', 'adjusted'),
        ('sampled_standard_error', 'sampled_error'),
        ('adjusted_standard_error', 'adjusted_error'),
        ('cast(has_smaller_adjusted_variance as integer)', 'cast(is_smaller as integer)'),
        ('cast(is_adjustment_beyond_its_error as integer)', 'cast(is_beyond as integer)'),
        ('cast(has_equal_deltas as integer)', 'cast(is_equal as integer)'),
    ] %}
        select
            estimates.case_name || ': {{ wanted }}' as case_name,
            {{ actual }} as actual,
            {{ wanted }} as expected
        from estimates
        inner join expected on estimates.case_name = expected.case_name
        union all
    {% endfor %}
    {% for case, variance, wanted in [('smaller', '0.0299', 1), ('equal', '0.03 - 1e-14', 0), ('larger', '0.04', 0)] %}
        select
            'variance: {{ case }}' as case_name,
            cast({{ has_smaller_variance(variance, '0.03') }} as integer) as actual,
            {{ wanted }} as expected
        union all
    {% endfor %}
    -- N s^2 / (N x^2 + s^2) = 50 * 0.04 / (50 * 0.0004 + 0.04) = 33.3, which is rounded up to 34
    select
        'needed' as case_name,
        {{ common_topics_needed('0.04', '50', '0.02') }} as actual,
        34 as expected
    union all
    -- 50 * 0.01 / (50 * 0.0002 + 0.01) = 25 exactly: float noise must not make it 26
    select
        'needed_exactly' as case_name,
        {{ common_topics_needed('0.01', '50', 'sqrt(0.0002)') }} as actual,
        25 as expected

)

{{ wrong_cases('compared', n_cases=37, tolerance=1e-9) }}
