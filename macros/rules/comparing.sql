{#-
    Pairs of runs, topic by topic (docs/comparing.md), as CTEs whose last one is `comparisons`. They read
    `paired_scores`, which has one row per measure, pair of runs and judged topic, with the scores of both runs.
-#}
{% macro comparisons() -%}
-- the same rows with the difference; a difference below a billionth is noise
differences as (

    select
        measure,
        run_id,
        other_run_id,
        topic_id,
        score,
        other_score,
        {{ signed('score - other_score') }} as difference,
        {{ comparable('score - other_score') }} as compared_difference
    from paired_scores

),

-- one row per measure and pair: means over topics, and the number of topics that either run wins
summed_up as (

    select
        measure,
        run_id,
        other_run_id,
        cast(count(*) as integer) as n_topics,
        avg(score) as mean_score,
        avg(other_score) as other_mean_score,
        avg(difference) as mean_difference,
        {{ deviation_of_differences('difference') }} as deviation,
        cast(count(*) filter (where compared_difference > 0) as integer) as n_topics_won,
        cast(count(*) filter (where compared_difference = 0) as integer) as n_topics_tied,
        cast(count(*) filter (where compared_difference < 0) as integer) as n_topics_lost
    from differences
    group by
        measure,
        run_id,
        other_run_id

),

-- the same rows with the figures that follow from the deviation, where there is one
comparisons as (

    select
        * exclude (deviation),
        deviation / sqrt(n_topics) as standard_error,
        mean_difference / (nullif(deviation, 0) / sqrt(n_topics)) as paired_t,
        mean_difference / nullif(deviation, 0) as effect_size
    from summed_up

)
{%- endmacro %}

{#-
    Standard deviation of differences over topics, with divisor n - 1. It is null for a single topic, and 0 where
    only noise remains.
-#}
{% macro deviation_of_differences(difference) -%}
    case when {{ signed('stddev_samp(' ~ difference ~ ')') }} > 0 then stddev_samp({{ difference }})
        when count({{ difference }}) > 1 then 0.0
    end
{%- endmacro %}

{#-
    A message that says why runs cannot be compared by the mean of the requested measure over topics; null where
    they can.
-#}
{% macro problem_with_comparing(measure) -%}
    case
        when {{ asked_name(measure) }} in ('GMAP', 'GMBpref')
            then {{ measure }} || ' is a geometric mean over topics, and a difference on a topic says nothing about it: '
            || 'compare ' || case {{ asked_name(measure) }} when 'GMAP' then 'AP' else 'Bpref' end
    end
{%- endmacro %}

{#-
    Whether the better of two means stays the better one for all values between the lower and upper bounds of both;
    null where that is not known. Of two equal means, neither is better.
-#}
{% macro survives(difference, lowest, highest) -%}
    case
        when one.{{ lowest }} is null or other.{{ lowest }} is null then null
        when {{ comparable(difference) }} > 0 then {{ comparable('one.' ~ lowest ~ ' - other.' ~ highest) }} > 0
        when {{ comparable(difference) }} < 0 then {{ comparable('other.' ~ lowest ~ ' - one.' ~ highest) }} > 0
        else false
    end
{%- endmacro %}
