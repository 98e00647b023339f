{{ config(arguments=['collection', 'asked', 'is_required']) }}
{#-
    The error of a difference has two sources: the choice of topics, and the estimates (docs/decisions/estimated_tests.md).
    What a relevant document adds to the difference is what it adds to the score of the one run, less what it adds to the
    score of the other. `surplus` is the difference of their dilutions, which every relevant document takes.
-#}

with

{{ imports(
    'quantiles', 'int_judged_topics', asked_collection='int_collections where collection_id = collection'
) }},

{{ normal_quantiles() }},

-- one row per run and judged topic that it answers
parts as materialized (

    select * from {{ ref('int_asked_expected_parts') }}(collection, asked, is_required)
    where target = 'if_judged'

),

-- one row per run, with what is advised on its expected score
advised as (

    select
        run_key,
        run_id,
        unjudged_share,
        {{ advice_on_expected_score('doubts', 'n_organizations') }} as advice
    from (
        select
            run_key,
            run_id,
            unjudged_share,
            n_organizations,
            -- known where an interval is
            deviation as ci_95_low,
            any_value(unjudged_share) + max(total - known_total) as in_doubt
        from parts
        group by all
    ) as doubts

),

-- the runs whose expected scores can be told
told as (

    select * from advised
    where
        advice <> 'cannot be told'
        and {{ has_expected_score() }}

),

-- one row per such run and judged topic; without an answer to the topic everything is 0
cells as (

    select
        told.run_key,
        told.run_id,
        told.unjudged_share,
        judged_topics.topic_key,
        coalesce(parts.unpooled_score, 0) as unpooled_score,
        coalesce(parts.expected_score, 0) as expected_score,
        coalesce(parts.scale, 0) as scale,
        {% for power in [0, 1] %}
            {% for end in ['low', 'high'] %}
                coalesce(parts.ci_95_{{ end }}_{{ power }} - parts.expected_{{ power }}, 0) as {{ end }}_{{ power }},
            {% endfor %}
        {% endfor %}
        {% for power in [0, 1, 2] %}
            coalesce(parts.weight_{{ power }}, 0) as weight_{{ power }},
            coalesce(parts.variance_{{ power }}, 0) as variance_{{ power }},
        {% endfor %}
        coalesce(parts.dilution, 0) as dilution
    from told
    cross join asked_collection
    inner join judged_topics using (collection_key)
    left join parts using (run_key, topic_key)

),

-- one row per pair and judged topic: the difference, its variance, and how far it moves if the probabilities of the documents
-- of either run are all too low or too high
pairs as (

    select
        one.run_key,
        other.run_key as other_run_key,
        one.topic_key,
        one.expected_score,
        other.expected_score as other_expected_score,
        one.unjudged_share,
        other.unjudged_share as other_unjudged_share,
        one.dilution - other.dilution as surplus,
        one.expected_score - other.expected_score as difference,
        one.weight_0 + other.weight_0 as n_documents,
        {% for figure in ['weight', 'variance'] %}
            {{ squared_parts('one.' ~ figure, 'one.scale', 'surplus') }}
            + {{ squared_parts('other.' ~ figure, 'other.scale', '(-surplus)') }} as {{ figure }},
        {% endfor %}
        {% for end in ['low', 'high'] %}
            one.scale * one.{{ end }}_1 - surplus * one.{{ end }}_0 as moved_{{ end }},
            -other.scale * other.{{ end }}_1 - surplus * other.{{ end }}_0 as other_moved_{{ end }},
        {% endfor %}
        one.unpooled_score = other.unpooled_score as is_same_score
    from cells as one
    inner join cells as other
        on
            one.topic_key = other.topic_key
            and one.run_id < other.run_id

),

-- the unjudged documents of these runs down to the cutoff, with what each adds to the score if it is relevant
documents as (

    select
        told.run_key,
        told.run_id,
        parts.topic_key,
        coalesce(parts.scale, 0) as scale,
        unnest(parts.documents) as document,
        {% for name in ['doc_key', 'weight', 'probability', 'variance', 'ci_95_low', 'ci_95_high'] %}
            document['{{ name }}'] as {{ name }},
        {% endfor %}
        coalesce(parts.dilution, 0) as dilution
    from told
    inner join parts using (run_key)

),

-- one row per document that both runs of a pair return
shared_documents as (

    select
        one.run_key,
        other.run_key as other_run_key,
        one.topic_key,
        one.scale * one.weight - (one.dilution - other.dilution) as own_part,
        -other.scale * other.weight - (one.dilution - other.dilution) as other_part,
        own_part + other_part + (one.dilution - other.dilution) as part,
        one.weight = other.weight as is_same_weight,
        -- what it takes from either score as one of all relevant documents
        one.dilution + other.dilution as dilution,
        one.probability,
        other.probability as other_probability,
        {% for end in ['low', 'high'] %}
            one.ci_95_{{ end }} - one.probability as {{ end }},
            other.ci_95_{{ end }} - other.probability as other_{{ end }},
        {% endfor %}
        one.variance,
        other.variance as other_variance
    from documents as one
    inner join documents as other
        on
            one.topic_key = other.topic_key
            and one.doc_key = other.doc_key
            and one.run_id < other.run_id

),

-- one row per pair and topic with such a document: what changes because it is a single document. It has one probability,
-- the mean of both, in either score, and either run moves it by half.
corrections as (

    select
        run_key,
        other_run_key,
        topic_key,
        sum((other_probability - probability) / 2 * (own_part - other_part - dilution)) as difference,
        sum(pow(part, 2) - pow(own_part, 2) - pow(other_part, 2)) as weight,
        sum(
            pow(part, 2) * ((variance + other_variance) / 2 + pow((probability - other_probability) / 2, 2))
            - pow(own_part, 2) * variance - pow(other_part, 2) * other_variance
        ) as variance,
        {% for end in ['low', 'high'] %}
            sum((part / 2 - own_part) * {{ end }}) as moved_{{ end }},
            sum((part / 2 - other_part) * other_{{ end }}) as other_moved_{{ end }},
        {% endfor %}
        count(*) as n_documents,
        count(*) filter (where is_same_weight) as n_of_same_weight
    from shared_documents
    group by all

),

-- one row per pair and judged topic, with these changes. Two lists with the same score and the same unjudged documents at the
-- same ranks do not differ, whatever is expected of either run.
corrected as (

    select
        pairs.* replace (
            case
                when pairs.is_same_score and pairs.n_documents = 2 * coalesce(corrections.n_of_same_weight, 0) then 0
                else pairs.difference + coalesce(corrections.difference, 0)
            end as difference,
            pairs.n_documents - coalesce(corrections.n_documents, 0) as n_documents,
            {% for side in ['', 'other_'] %}
                {% for end in ['low', 'high'] %}
                    pairs.{{ side }}moved_{{ end }} + coalesce(corrections.{{ side }}moved_{{ end }}, 0)
                        as {{ side }}moved_{{ end }},
                {% endfor %}
            {% endfor %}
            pairs.weight + coalesce(corrections.weight, 0) as weight,
            pairs.variance + coalesce(corrections.variance, 0) as variance
        )
    from pairs
    left join corrections using (run_key, other_run_key, topic_key)

),

-- one row per pair: the difference of its means over topics, and the parts of its error
summed as (

    select
        run_key,
        other_run_key,
        any_value(unjudged_share) as unjudged_share,
        any_value(other_unjudged_share) as other_unjudged_share,
        avg(expected_score) as if_judged,
        avg(other_expected_score) as other_if_judged,
        avg(corrected.difference) as difference,
        pow({{ deviation_of_differences('corrected.difference') }}, 2) / count(*) as topic_variance,
        greatest(
            sum(variance) + coalesce({{ documents_in_doubt() }} / nullif(sum(n_documents), 0), 0) * sum(weight), 0
        ) / pow(count(*), 2) as document_variance,
        {% for side in ['', 'other_'] %}
            {% for end in ['low', 'high'] %}
                avg({{ side }}moved_{{ end }}) as {{ side }}moved_{{ end }},
            {% endfor %}
        {% endfor %}
        count(*) as n_topics
    from corrected
    group by
        run_key,
        other_run_key

),

-- the same rows with the standard errors towards lower and towards higher differences: the errors of topics, of documents,
-- and of either run do not depend on each other
errors as (

    select
        {% for side, extreme in [('below', 'least'), ('above', 'greatest')] %}
            sqrt(
                summed.topic_variance + summed.document_variance + (
                    pow({{ extreme }}(summed.moved_low, summed.moved_high, 0), 2)
                    + pow({{ extreme }}(summed.other_moved_low, summed.other_moved_high, 0), 2)
                ) / pow(normal_quantiles.quantile_95, 2)
            ) as error_{{ side }},
        {% endfor %}
        summed.*
    from summed
    cross join normal_quantiles

),

-- one row per pair, with its names; the error that counts is the one towards no difference
named as (

    select
        one.run_id,
        other.run_id as other_run_id,
        errors.unjudged_share as unjudged_weight,
        errors.other_unjudged_share as other_unjudged_weight,
        errors.if_judged,
        errors.other_if_judged,
        {{ signed('errors.difference') }} as difference_if_judged,
        -- without float noise, so that equal runs have none
        case when {{ comparable('errors.error_below') }} > 0 then errors.error_below else 0 end as error_below,
        case when {{ comparable('errors.error_above') }} > 0 then errors.error_above else 0 end as error_above,
        case when difference_if_judged < 0 then error_above else error_below end as error_if_judged,
        difference_if_judged / nullif(error_if_judged, 0) as t_if_judged,
        -- Welch and Satterthwaite: topics alone are few
        (errors.n_topics - 1) * pow(error_if_judged, 4) / nullif(pow(errors.topic_variance, 2), 0)
            as degrees_of_freedom_if_judged
    from errors
    inner join told as one using (run_key)
    inner join told as other on errors.other_run_key = other.run_key

)

select * from named
