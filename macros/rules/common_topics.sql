{#-
    Adjustment by inference from topics (Webber & Park 2009, algorithm 2). On the common topics a run is fully
    judged, so that its true score t is known in addition to its unpooled score u. The gain of the run on these
    topics is expected on all topics. The display equations are lost in the stored text of the paper. These
    equations are rebuilt from its prose and from sampling theory (design, semantics).

    There are N topics in all, of which n are common, as a sample of the N without replacement.
-#}

{#-
    The figures of the common topics, from rows of `true_score` and `unpooled_score` of one topic each. Topics that
    are not common have no true score, and do not count.
-#}
{% macro common_topic_columns(topics) -%}
    {%- set delta = topics ~ '.true_score - ' ~ topics ~ '.unpooled_score' -%}
    cast(count({{ topics }}.true_score) as integer) as n_common_topics,
    avg({{ delta }}) as adjustment,
    avg({{ topics }}.true_score) as sampled_score,
    -- with divisor n - 1; null for a single topic, which says nothing about other topics
    var_samp({{ delta }}) as delta_variance,
    var_samp({{ topics }}.true_score) as true_variance,
    {{ comparable('max(' ~ delta ~ ') - min(' ~ delta ~ ')') }} = 0 as has_equal_deltas
{%- endmacro %}

{#-
    The estimates, from these columns, `unadjusted_score` (the mean of u over all N) and `n_topics`. Where all
    topics are common, all estimates except the unadjusted one are the mean of t.
-#}
{% macro topic_estimate_columns() -%}
    -- true scores where they are known, and unpooled scores elsewhere: the sum of the deltas of n topics, over N
    unadjusted_score + adjustment * n_common_topics / n_topics as mixed_score,
    sampled_score,
    unadjusted_score + adjustment as adjusted_score,
    {{ standard_error_of_mean('true_variance') }} as sampled_standard_error,
    {{ standard_error_of_mean('delta_variance') }} as adjusted_standard_error,
    {{ has_smaller_variance('delta_variance', 'true_variance') }} as has_smaller_adjusted_variance,
    {{ is_adjustment_beyond_its_error() }} as is_adjustment_beyond_its_error
{%- endmacro %}

{#-
    The square root of the variance; null where it comes out as 0, because topics that happen to be alike say
    nothing about the other topics.
-#}
{% macro standard_error_of_mean(variance) -%}
    case
        when {{ comparable('sqrt(' ~ sample_mean_variance(variance) ~ ')') }} > 0
            then sqrt({{ sample_mean_variance(variance) }})
    end
{%- endmacro %}

{#- Variance of the mean of n of N topics, from the given variance of the topics (equations 3 and 5). -#}
{% macro sample_mean_variance(variance) -%}
    (n_topics - n_common_topics) / n_topics * {{ variance }} / n_common_topics
{%- endmacro %}

{#-
    Whether the adjusted estimate varies less than the mean of the common topics' true scores (equations 3 and 5),
    from the variances of deltas and true scores. The variances are over all N topics, as the paper compares them,
    or estimated from the common topics.
-#}
{% macro has_smaller_variance(delta_variance, true_variance) -%}
    {{ signed(delta_variance ~ ' - ' ~ true_variance) }} < 0
{%- endmacro %}

{#-
    Whether the adjustment is further from zero than its standard error (equation 6, with the true adjustment replaced
    by its estimate). By the normal distribution, the adjusted score is then better in 68 of 100 samples or more.
-#}
{% macro is_adjustment_beyond_its_error() -%}
    {{ signed('sqrt(' ~ sample_mean_variance('delta_variance') ~ ') - abs(adjustment)') }} < 0
{%- endmacro %}

{#-
    Number of common topics at which the estimate has a standard error of at most x (equation 3, solved for n). It
    is 0 where the topics do not differ, even for an x whose square is too small for a number.
-#}
{% macro common_topics_needed(delta_variance, n_topics, standard_error) -%}
    cast(
        ceil(
            {{ comparable(
                'coalesce(' ~ n_topics ~ ' * ' ~ delta_variance
                ~ ' / nullif(' ~ n_topics ~ ' * pow(' ~ standard_error ~ ', 2) + ' ~ delta_variance ~ ', 0), 0)'
            ) }}
        ) as integer
    )
{%- endmacro %}

{#-
    Whether a row of the seed `quantiles` belongs to an estimate: the row of the normal distribution, or the row of
    Student's t with its degrees of freedom (`degrees_of_freedom`), which end at 300 in the seed. A single topic has
    no standard error, or a standard error of 0, for which any quantile gives the same bounds.
-#}
{% macro is_quantile_for(quantiles, degrees_of_freedom) -%}
    coalesce({{ quantiles }}.degrees_of_freedom = least(greatest({{ degrees_of_freedom }}, 1), {{ most_degrees_of_freedom() }}), true)
{%- endmacro %}

{#-
    Bounds of the intervals around a score, one column each, such as t_95_low, from one row for each of the
    quantiles for its number of topics.
-#}
{% macro interval_columns(score, standard_error, quantiles) -%}
    {%- set columns = [] -%}
    {%- for method in ['normal', 't'] -%}
        {%- for percent in [68, 95] -%}
            {%- for end, sign in [('low', '-'), ('high', '+')] -%}
                {%- do columns.append(
                    'any_value(' ~ score ~ ' ' ~ sign ~ ' ' ~ quantiles ~ '.quantile * ' ~ standard_error ~ ') filter (where '
                    ~ quantiles ~ ".method = '" ~ method ~ "' and " ~ quantiles ~ '.confidence = ' ~ percent / 100
                    ~ ') as ' ~ method ~ '_' ~ percent ~ '_' ~ end
                ) -%}
            {%- endfor -%}
        {%- endfor -%}
    {%- endfor -%}
    {{ columns | join(',\n    ') }}
{%- endmacro %}
