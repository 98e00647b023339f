{{ config(materialized='table', meta={'rule': 'by_collection'}) }}

with

{{ imports(
    'quantiles', 'int_expected_relevance', 'int_measure_weights', gains='int_expected_gains',
    left_out='int_left_out_weights'
) }},

{{ normal_quantiles() }},

-- one row per measure: the weight of all documents down to its cutoff
whole_weights as (

    select
        measure,
        sum(weight) as weight
    from measure_weights
    group by measure

),

-- one row per candidate, target and measure: by how much the log odds of its documents may all be wrong. It grows with the
-- distance from the pool: the unjudged weight over the mean of the other organizations that were left out; and where
-- lists end, so that nothing is known of support.
deviations as (

    select
        gains.collection_key,
        gains.pool_key,
        gains.run_key,
        gains.target,
        gains.measure,
        {{ deviation_of_log_odds(
            'any_value(gains.unjudged_weight) / avg(left_out.unjudged_weight)',
            'any_value(gains.unjudged_weight) / any_value(whole_weights.weight)',
            'any_value(gains.unsupported_share)'
        ) }} as deviation
    from gains
    inner join whole_weights using (measure)
    inner join left_out
        on
            gains.collection_key = left_out.collection_key
            and gains.pool_key = left_out.pool_key
            and gains.measure = left_out.measure
            and gains.organization_key <> left_out.organization_key
    group by all

),

-- one row per candidate, target and measure with an unjudged document: the sum of weights that is expected to be relevant
-- if all probabilities are too high or too low
shifted as (

    select
        expected_relevance.collection_key,
        expected_relevance.pool_key,
        expected_relevance.run_key,
        deviations.target,
        {% for end, sign in [('low', '-'), ('high', '')] %}
            {% for percent in [68, 95] %}
                sum(
                    measure_weights.weight * {{ shifted_probability(
                        'expected_relevance.probability',
                        sign ~ 'normal_quantiles.quantile_' ~ percent ~ ' * deviations.deviation'
                    ) }}
                ) as {{ end }}_{{ percent }},
            {% endfor %}
        {% endfor %}
        deviations.measure
    from expected_relevance
    cross join normal_quantiles
    inner join measure_weights using (rank)
    inner join deviations
        on
            expected_relevance.collection_key = deviations.collection_key
            and expected_relevance.pool_key = deviations.pool_key
            and expected_relevance.run_key = deviations.run_key
            and measure_weights.measure = deviations.measure
            and {{ is_unjudged_for('deviations.target', 'expected_relevance') }}
    group by all

),

-- one row per candidate, target and measure: the expected gain with its intervals, which are null where no other
-- organization was left out, and a point where nothing is unjudged
intervals as (

    select
        gains.collection_key,
        gains.pool_key,
        gains.run_key,
        gains.organization_key,
        gains.target,
        gains.measure,
        gains.unjudged_weight,
        gains.expected_gain
        {%- for percent in [68, 95] %}
            {%- for end, limit in [('low', '0'), ('high', 'gains.unjudged_weight')] %},
                {{ expected_end(
                    end, 'gains.expected_gain', 'shifted.' ~ end ~ '_' ~ percent ~ ' / gains.n_topics', 'gains.variance',
                    'normal_quantiles.quantile_' ~ percent, 'gains.unjudged_weight', limit
                ) }} as ci_{{ percent }}_{{ end }}
            {%- endfor %}
        {%- endfor %}
    from gains
    cross join normal_quantiles
    left join shifted using (collection_key, pool_key, run_key, target, measure)

)

select * from intervals
