{{ config(arguments=['collection', 'asked', 'is_required']) }}
-- What the unjudged documents of each list are expected to add to its score, and how far all of their probabilities may be
-- wrong together.

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
        named_lists.*,
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
        unnest(unjudged_documents) as document,
        {% for name in ['doc_key', 'rank', 'support', 'weight', 'probability', 'variance'] %}
            document['{{ name }}'] as {{ name }},
        {% endfor %}
        topic_key
    from topics

),

-- one row per run and target
runs as (

    select
        target,
        run_key,
        is_pooled,
        organization_key,
        count(*) as n_topics,
        count(*) = count(expected_score) as is_expected
    from topics
    group by all

),

{{ whole_weights() }},

-- one row per run and target: the share of this weight that is unjudged, and how much of what is expected of it is from
-- documents that no other list holds. Nothing is known of unjudged documents where nothing is expected.
shares as (

    select
        runs.target,
        runs.run_key,
        runs.is_pooled,
        runs.organization_key,
        case
            when any_value(runs.is_expected)
                then coalesce(sum(documents.weight), 0) / any_value(runs.n_topics * whole_weights.weight)
        end as unjudged_share,
        {{ unsupported_share('documents.weight * documents.probability', 'documents.support') }} as unsupported_share
    from runs
    cross join whole_weights
    left join documents
        on
            runs.target = documents.target
            and runs.run_key = documents.run_key
            and documents.rank <= {{ deepest_cutoff() }}
    group by all

),

-- one row per run and target: by how much the log odds of its documents may all be wrong; null where no other organization
-- tells it, and by Bpref
deviations as (

    select
        shares.target,
        shares.run_key,
        shares.unjudged_share,
        {{ deviation_of_log_odds(
            'any_value(shares.unjudged_share) / avg(left_out_shares.unjudged_share)',
            'any_value(shares.unjudged_share)', 'any_value(shares.unsupported_share)'
        ) }} * case
            when count(left_out_shares.organization_key) = 0 then null
            when {{ is_additive('asked') }} then 1
            -- documents that are not relevant change its score too
            when {{ asked_name('asked') }} <> 'Bpref' then {{ deviation_of_other_measures() }}
        end as deviation
    from shares
    left join left_out_shares
        on not shares.is_pooled or shares.organization_key <> left_out_shares.organization_key
    group by all

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
        list({
            'doc_key': doc_key,
            'weight': weight,
            'probability': probability,
            'variance': variance,
            'ci_95_low': probability_ci_95_low,
            'ci_95_high': probability_ci_95_high
        }) as documents,
        topic_key
    from doubted
    group by all

),

-- one row: the number of organizations of the pool
pool as (

    select count(*) as n_organizations
    from left_out_shares

),

-- one row per list: the part of the score that a relevant document adds is its weight times the scale; each relevant
-- document of any list takes the dilution from it. What the documents add on a topic is divided among them by their weights
-- and probabilities, which is exact for P and RBP.
parts as (

    select
        topics.* exclude (unjudged_documents),
        deviations.unjudged_share,
        deviations.deviation,
        pool.n_organizations,
        spread.* exclude (target, run_key, topic_key),
        (topics.expected_score * topics.total - topics.unpooled_score * topics.known_total)
        / nullif(topics.total * spread.expected_1, 0) as scale,
        topics.expected_score * topics.total_of_a_document / nullif(topics.total, 0) as dilution
    from topics
    cross join pool
    inner join deviations using (target, run_key)
    left join spread using (target, run_key, topic_key)

)

select * from parts
