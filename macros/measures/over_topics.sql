{#-
    The score of a run from its topic scores, over the topics on which `condition` holds; null where there are none.
    `aggregation` is the column that says how the topic scores are aggregated (seed measures).
-#}
{% macro over_topics(score, aggregation, condition) -%}
    case any_value({{ aggregation }})
        when 'sum' then sum({{ score }}) filter (where {{ condition }})
        -- not below the lowest score, because the exponential of a logarithm may be lower
        when 'geometric_mean'
            then greatest(
                exp(
                    avg(case {{ aggregation }} when 'geometric_mean' then ln({{ score }}) end)
                        filter (where {{ condition }})
                ),
                min({{ score }}) filter (where {{ condition }})
            )
        else avg({{ score }}) filter (where {{ condition }})
    end
{%- endmacro %}

{#-
    The columns of a run's scores from its topic scores: over the topics that it answers, and over all judged topics.
-#}
{% macro scores_over_topics(topic_scores, aggregation) -%}
    {{ over_topics(topic_scores ~ '.score', aggregation, topic_scores ~ '.is_answered') }} as score,
    {{ over_topics(topic_scores ~ '.score', aggregation, 'true') }} as score_all_topics,
    cast(count(*) filter (where {{ topic_scores }}.is_answered) as integer) as n_topics
{%- endmacro %}
