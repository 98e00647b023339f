{{ config(arguments=['collection', 'asked', 'is_required']) }}
-- The expected scores of runs, with intervals: means over the expected scores of topics.

with

{{ imports('quantiles') }},

{{ normal_quantiles() }},

-- one row per target, run and judged topic that it answers
parts as (

    select * from {{ ref('int_asked_expected_parts') }}(collection, asked, is_required)

),

{{ whole_weights() }},

-- one row per run and target: means over the topics that it answers
run_scores as (

    select
        target,
        run_key,
        run_id,
        is_pooled,
        is_left_out,
        unjudged_share,
        n_organizations,
        cast(count(*) as integer) as n_topics,
        avg(unpooled_score) as unpooled_score,
        case when count(*) = count(expected_score) then avg(expected_score) end as expected_score,
        avg(true_score) as true_score,
        -- what the measure divides by may grow with the documents of other runs
        max(total - known_total) as n_added
    from parts
    group by all

),

-- one row per list whose probabilities may all be wrong: how many relevant documents other lists have then, as if these
-- documents had the same probability
elsewhere as (

    select
        parts.n_relevant_elsewhere / nullif(parts.n_elsewhere, 0) as mean_probability,
        {% for percent in [68, 95] %}
            {% for end, sign in [('low', '-'), ('high', '')] %}
                coalesce(
                    parts.n_elsewhere * {{ shifted_probability(
                        'mean_probability', sign ~ 'normal_quantiles.quantile_' ~ percent ~ ' * parts.deviation'
                    ) }},
                    0
                ) as elsewhere_ci_{{ percent }}_{{ end }},
            {% endfor %}
        {% endfor %}
        parts.*
    from parts
    cross join normal_quantiles
    where parts.deviation is not null

),

-- the same rows with the scores then, by the documents of the list and by those of other lists
scaled as (

    select
        {% for end in interval_ends() %}
            (unpooled_score * known_total + coalesce(scale * total * {{ end }}_1, 0)) / nullif(
                total + total_of_a_document * coalesce({{ end }}_0 - expected_0, 0), 0
            ) as score_{{ end }},
            expected_score * total / nullif(
                total + total_of_a_document * (elsewhere_{{ end }} - n_relevant_elsewhere), 0
            ) as score_elsewhere_{{ end }},
        {% endfor %}
        *
    from elsewhere

),

-- one row per run and target: by how much the sum of its scores moves if the probabilities of its own documents, or of
-- those of other lists, are all too high or too low, and its variance
moved as (

    select
        target,
        run_key,
        {% for end in interval_ends() %}
            sum(coalesce(score_{{ end }}, 0) - unpooled_score) as moved_{{ end }},
            sum(coalesce(score_elsewhere_{{ end }}, 0) - unpooled_score) as elsewhere_{{ end }},
        {% endfor %}
        -- a sum of squares, of which rounding may leave less than 0; no sum is no variance
        greatest(
            sum({{ squared_parts('variance') }})
            + {{ documents_in_doubt() }} / sum(weight_0) * sum({{ squared_parts('weight') }}),
            0
        ) as variance
    from scaled
    group by all

),

-- one row per run and target: the expected gain, how far it moves, and its limits
gains as (

    select
        run_scores.*,
        run_scores.unjudged_share + run_scores.n_added as in_doubt,
        run_scores.expected_score - run_scores.unpooled_score as gain,
        moved.variance / pow(run_scores.n_topics, 2) as variance,
        -- the errors of its documents and of other lists do not depend on each other
        {% for percent in [68, 95] %}
            {% for end, sign, extreme in [('low', '-', 'least'), ('high', '+', 'greatest')] %}
                gain {{ sign }} sqrt(
                    {%- for documents in ['moved', 'elsewhere'] %}
                        pow(
                            {{ extreme }}(
                                moved.{{ documents }}_ci_{{ percent }}_low, moved.{{ documents }}_ci_{{ percent }}_high
                            ) / run_scores.n_topics - gain,
                            2
                        ) {{ '+' if not loop.last }}
                    {%- endfor %}
                ) as {{ end }}_{{ percent }},
            {% endfor %}
        {% endfor %}
        case when {{ is_additive('asked') }} then 0 else -run_scores.unpooled_score end as lowest,
        case
            when {{ is_additive('asked') }} then run_scores.unjudged_share * whole_weights.weight
            else 1 - run_scores.unpooled_score
        end as highest
    from run_scores
    cross join whole_weights
    left join moved using (target, run_key)

),

-- the same rows with the intervals
intervals as (

    select
        gains.*
        {%- for percent in [68, 95] %}
            {%- for end in ['low', 'high'] %},
                gains.unpooled_score + {{ expected_end(
                    end, 'gains.gain', 'gains.' ~ end ~ '_' ~ percent, 'gains.variance',
                    'normal_quantiles.quantile_' ~ percent, 'gains.in_doubt', 'gains.' ~ end ~ 'est'
                ) }} as ci_{{ percent }}_{{ end }}
            {%- endfor %}
        {%- endfor %}
    from gains
    cross join normal_quantiles

),

named as (

    select
        collection as collection_id,
        if_pooled.run_id,
        asked as measure,
        if_pooled.is_pooled,
        if_pooled.n_topics,
        if_judged.unjudged_share,
        case
            when if_pooled.is_pooled then 'pooled'
            else {{ advice_on_expected_score('if_pooled', 'if_pooled.n_organizations') }}
        end as advice_if_pooled,
        {{ advice_on_expected_score('if_judged', 'if_judged.n_organizations') }} as advice,
        if_pooled.unpooled_score,
        if_pooled.expected_score as if_pooled,
        {% for target in ['if_pooled', 'if_judged'] %}
            {% if target == 'if_judged' %}
                if_judged.expected_score as if_judged,
            {% endif %}
            {% for percent in [68, 95] %}
                {% for end in ['low', 'high'] %}
                    {{ target }}.ci_{{ percent }}_{{ end }} as {{ target }}_{{ percent }}_{{ end }},
                {% endfor %}
            {% endfor %}
        {% endfor %}
        if_pooled.true_score
    from intervals as if_pooled
    inner join intervals as if_judged using (run_key)
    where
        if_pooled.target = 'if_pooled'
        and if_judged.target = 'if_judged'

)

select * from named
