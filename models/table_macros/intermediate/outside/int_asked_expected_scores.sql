{{ config(arguments=['collection', 'asked', 'is_required']) }}
-- The expected scores of runs, with intervals: means over the expected scores of topics.

with

{{ imports('quantiles') }},

{{ normal_quantiles() }},

-- one row per target, run and judged topic that it answers. Materialized, because the planner expects few lists, and would
-- join each with all scores.
named_lists as materialized (

    select * from {{ ref('int_asked_expected_topics') }}(collection, asked, is_required)

),

-- the scores by the measure itself, as trec_eval computes them
{% for judgement_set in ['full', 'without_organization'] %}
    scores_{{ judgement_set }} as (

        select
            run_id,
            topic_id,
            score
        from {{ ref('int_asked_topic_scores') }}(collection, asked, judgement_set := '{{ judgement_set }}')

    ),
{% endfor %}

-- the same rows with the score with the judgements without the organization, and with all of them
topics as materialized (

    select
        named_lists.* exclude (topic_id),
        case when named_lists.is_left_out then scores_without_organization.score else scores_full.score end
            as unpooled_score,
        case when named_lists.is_left_out then scores_full.score end as true_score
    from named_lists
    inner join scores_full using (run_id, topic_id)
    inner join scores_without_organization using (run_id, topic_id)

),

-- one row per organization of the pool
left_out_shares as materialized (

    select * from {{ ref('int_asked_left_out_shares') }}(collection, asked)

),

-- the unjudged documents of each list down to the cutoff
documents as (

    select
        target,
        run_key,
        topic_key,
        unnest(unjudged_documents) as document,
        document['rank'] as rank,
        document['support'] as support,
        document['weight'] as weight,
        document['probability'] as probability,
        document['variance'] as variance
    from topics

),

-- one row per run and target: means over the topics that it answers
run_scores as (

    select
        target,
        run_key,
        run_id,
        is_pooled,
        organization_key,
        is_left_out,
        cast(count(*) as integer) as n_topics,
        avg(unpooled_score) as unpooled_score,
        case when count(*) = count(expected_score) then avg(expected_score) end as expected_score,
        avg(true_score) as true_score,
        -- what the measure divides by may grow with the documents of other runs
        max(total - known_total) as n_added
    from topics
    group by all

),

{{ whole_weights() }},

-- one row per run and target: the share of this weight that is unjudged, and how much of what is expected of it is from
-- documents that no other list holds. Nothing is known of unjudged documents where nothing is expected.
shares as (

    select
        run_scores.target,
        run_scores.run_key,
        run_scores.is_pooled,
        run_scores.organization_key,
        case
            when any_value(run_scores.expected_score) is not null
                then coalesce(sum(documents.weight), 0) / any_value(run_scores.n_topics * whole_weights.weight)
        end as unjudged_share,
        {{ unsupported_share('documents.weight * documents.probability', 'documents.support') }} as unsupported_share
    from run_scores
    cross join whole_weights
    left join documents
        on
            run_scores.target = documents.target
            and run_scores.run_key = documents.run_key
            and documents.rank <= {{ deepest_cutoff() }}
    group by all

),

-- one row: the number of organizations of the pool
pool as (

    select count(*) as n_organizations
    from left_out_shares

),

-- one row per run and target: by how much the log odds of its documents may all be wrong
deviations as (

    select
        shares.target,
        shares.run_key,
        {{ deviation_of_log_odds(
            'any_value(shares.unjudged_share) / avg(left_out_shares.unjudged_share)',
            'any_value(shares.unjudged_share)', 'any_value(shares.unsupported_share)'
        ) }} * case
            when {{ is_additive('asked') }} then 1
            -- documents that are not relevant change its score too
            when {{ asked_name('asked') }} <> 'Bpref' then {{ deviation_of_other_measures() }}
        end as deviation
    from shares
    inner join left_out_shares
        on not shares.is_pooled or shares.organization_key <> left_out_shares.organization_key
    group by all
    having deviation is not null

),

-- the same documents with the probability if all probabilities are too high or too low
doubted as (

    select
        documents.*
        {%- for percent in [68, 95] %}
            {%- for end, sign in [('low', '-'), ('high', '')] %},
                {{ shifted_probability(
                    'documents.probability', sign ~ 'normal_quantiles.quantile_' ~ percent ~ ' * deviations.deviation'
                ) }} as probability_ci_{{ percent }}_{{ end }}
            {%- endfor %}
        {%- endfor %}
    from documents
    cross join normal_quantiles
    inner join deviations using (target, run_key)

),

-- one row per list with such a document: sums of powers of weights, of variances and of probabilities
spread as (

    select
        target,
        run_key,
        {% for power in [0, 1, 2] %}
            sum(pow(weight, {{ power }})) as weight_{{ power }},
            sum(pow(weight, {{ power }}) * variance) as variance_{{ power }},
        {% endfor %}
        {% for power in [0, 1] %}
            sum(pow(weight, {{ power }}) * probability) as expected_{{ power }},
            {% for end in interval_ends() %}
                sum(pow(weight, {{ power }}) * probability_{{ end }}) as {{ end }}_{{ power }},
            {% endfor %}
        {% endfor %}
        topic_key
    from doubted
    group by all

),

-- one row per list: how many relevant documents other lists have if all probabilities are too high or too low, as if
-- these documents had the same probability
elsewhere as (

    select
        topics.target,
        topics.run_key,
        topics.topic_key,
        topics.n_relevant_elsewhere / nullif(topics.n_elsewhere, 0) as mean_probability,
        topics.n_relevant_elsewhere as expected,
        {% for percent in [68, 95] %}
            {% for end, sign in [('low', '-'), ('high', '')] %}
                coalesce(
                    topics.n_elsewhere * {{ shifted_probability(
                        'mean_probability', sign ~ 'normal_quantiles.quantile_' ~ percent ~ ' * deviations.deviation'
                    ) }},
                    0
                ) as ci_{{ percent }}_{{ end }},
            {% endfor %}
        {% endfor %}
        topics.expected_score,
        topics.unpooled_score,
        topics.known_total,
        topics.total,
        topics.total_of_a_document
    from topics
    cross join normal_quantiles
    inner join deviations using (target, run_key)

),

-- the same rows with the part of the score that a relevant document adds: its weight times this scale, over the total that
-- the measure divides by. What the documents add on a topic is divided among them by their weights and probabilities,
-- which is exact for P and RBP.
scaled as (

    select
        elsewhere.*,
        spread.* exclude (target, run_key, topic_key),
        (elsewhere.expected_score * elsewhere.total - elsewhere.unpooled_score * elsewhere.known_total)
        / nullif(elsewhere.total * spread.expected_1, 0) as scale,
        {% for end in interval_ends() %}
            (
                elsewhere.unpooled_score * elsewhere.known_total
                + coalesce(scale * elsewhere.total * spread.{{ end }}_1, 0)
            ) / nullif(
                elsewhere.total
                + elsewhere.total_of_a_document * coalesce(spread.{{ end }}_0 - spread.expected_0, 0),
                0
            ) as score_{{ end }},
            elsewhere.expected_score * elsewhere.total / nullif(
                elsewhere.total + elsewhere.total_of_a_document * (elsewhere.{{ end }} - elsewhere.expected), 0
            ) as score_elsewhere_{{ end }},
        {% endfor %}
        elsewhere.expected_score * elsewhere.total_of_a_document / nullif(elsewhere.total, 0) as dilution
    from elsewhere
    left join spread using (target, run_key, topic_key)

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
        coalesce(
            {{ sum_of_squared_parts('variance') }}
            + {{ documents_in_doubt() }} / sum(weight_0) * {{ sum_of_squared_parts('weight') }},
            0
        ) as variance
    from scaled
    group by all

),

-- one row per run and target: the expected gain, how far it moves, and its limits
gains as (

    select
        run_scores.*,
        shares.unjudged_share,
        shares.unjudged_share + run_scores.n_added as in_doubt,
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
            when {{ is_additive('asked') }} then shares.unjudged_share * whole_weights.weight
            else 1 - run_scores.unpooled_score
        end as highest
    from run_scores
    cross join whole_weights
    inner join shares using (target, run_key)
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
            else {{ advice_on_expected_score('if_pooled', 'pool.n_organizations') }}
        end as advice_if_pooled,
        {{ advice_on_expected_score('if_judged', 'pool.n_organizations') }} as advice,
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
    cross join pool
    where
        if_pooled.target = 'if_pooled'
        and if_judged.target = 'if_judged'

)

select * from named
