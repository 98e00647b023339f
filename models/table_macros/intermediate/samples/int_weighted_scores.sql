{{ config(arguments=['collection', 'design']) }}
{%- set measures = ['AP', 'P@' ~ sampled_cutoff(), 'NumRel', 'nDCG'] %}
-- Estimates of Horvitz & Thompson: a sampled document counts as one over the probability with which it was sampled,
-- and a pair of documents as one over the probability of the pair (Aslam & Pavlu 2007). Below, a weight is
-- one over a probability. Some columns have the names of measures:
-- noqa: disable=RF06

with

{{ imports('int_rankings') }},

frame as (

    select * from {{ ref('int_sampling_frame') }}(collection, design)
    where is_scored

),

asked_collection as (

    select any_value(collection_key) as collection_key from frame

),

{{ answers_of_plan() }},

-- one row per topic and sampled document with a grade above 0, as all relevant ones have. Others add nothing to a sum.
documents as (

    select
        collection_key,
        topic_key,
        doc_key,
        stratum,
        1 / inclusion_probability as weight,
        1 / joint_probability as pair_weight,
        between_factor,
        n_answered_of_stratum,
        n_answered,
        is_relevant,
        grade as gain
    from frame
    where grade > 0

),

-- one row per topic and gain above 0: number of documents with the gain or a higher one. It may have a fraction, and
-- is rounded, so that float noise does not decide which rank is the next.
gain_counts as (

    select
        topic_key,
        gain,
        gain - lag(gain, 1, 0) over (partition by topic_key order by gain) as gain_above_lower,
        {{ comparable('sum(sum(weight)) over (partition by topic_key order by gain desc)') }} as n_documents
    from documents
    group by
        topic_key,
        gain

),

numbers as (

    select unnest(range(cast(floor(max(n_documents)) as bigint) + 1)) as n
    from gain_counts

),

-- one row per number of documents from 0 on: the discounts of so many ranks, and of the next rank
discounts as (

    select
        n,
        {{ discounted_gain('(n + 1)', 1) }} as next_discount,
        coalesce(sum({{ discounted_gain('n', 1) }}) filter (where n > 0) over (order by n), 0) as sum_of_discounts
    from numbers

),

-- the same rows as gain_counts, with the DCG that these documents add to the ideal ranking by having more than the
-- next lower gain, where the fraction of a document has this fraction of its rank's discount. A further document with
-- the gain would add `added_per_document` with its own gain and all lower ones.
ideal_steps as (

    select
        gain_counts.topic_key,
        gain_counts.gain,
        gain_counts.gain_above_lower * (
            discounts.sum_of_discounts + (gain_counts.n_documents - discounts.n) * discounts.next_discount
        ) as ideal_dcg,
        sum(gain_counts.gain_above_lower * discounts.next_discount)
            over (partition by gain_counts.topic_key order by gain_counts.gain) as added_per_document
    from gain_counts
    inner join discounts on floor(gain_counts.n_documents) = discounts.n

),

ideals as (

    select
        topic_key,
        sum(ideal_dcg) as ideal_dcg
    from ideal_steps
    group by topic_key

),

-- one row per run, topic that it answers and document; no rank where the run does not return the document
ranked as (

    select
        answers.run_key,
        documents.* exclude (collection_key, doc_key),
        rankings.rank,
        documents.is_relevant and rankings.rank is not null as is_found,
        coalesce({{ discounted_gain('rankings.rank', 'documents.gain') }}, 0) as discounted_gain
    from answers
    inner join documents using (topic_key)
    left join rankings using (collection_key, run_key, topic_key, doc_key)

),

-- the same rows with sums over the relevant documents above and below, of the whole ranking and of the stratum alone
summed as (

    select
        *,
        sum(weight) filter (where is_found) over above as weights_above,
        count(*) filter (where is_found) over stratum_above as n_above,
        sum(weight / rank) filter (where is_found) over below as weights_below,
        sum(1 / rank) filter (where is_found) over stratum_below as n_below
    from ranked
    window
        above as (partition by run_key, topic_key order by rank rows between unbounded preceding and 1 preceding),
        below as (partition by run_key, topic_key order by rank rows between 1 following and unbounded following),
        stratum_above as (
            partition by run_key, topic_key, stratum order by rank rows between unbounded preceding and 1 preceding
        ),
        stratum_below as (
            partition by run_key, topic_key, stratum order by rank rows between 1 following and unbounded following
        )

),

-- the same rows with the pairs of a relevant document: pairs with one above add 1 / rank to the precisions at its
-- rank, and pairs with one below 1 / the other rank. The weight of a pair is that of the stratum or, between two
-- strata, the product of both weights over the factor.
paired as (

    select
        *,
        {% for side in ['above', 'below'] -%}
        case
            when is_found
                then
                    weight * (coalesce(weights_{{ side }}, 0) - weight * coalesce(n_{{ side }}, 0)) / between_factor
                    + pair_weight * coalesce(n_{{ side }}, 0)
            else 0
        end as pairs_{{ side }}{{ ',' if not loop.last }}
        {% endfor %}
    from summed

),

-- one row per run and topic: the sums of which the scores are made
sums as (

    select
        run_key,
        topic_key,
        sum(weight) filter (where is_relevant) as n_relevant,
        sum((weight + pairs_above) / rank) filter (where is_found) as sum_of_precisions,
        sum(weight) filter (where is_found and rank <= {{ sampled_cutoff() }}) as n_relevant_at_cutoff,
        sum(weight * discounted_gain) as dcg
    from paired
    group by
        run_key,
        topic_key

),

-- the same rows with the scores; 0 where nothing is relevant
scores as (

    select
        sums.run_key,
        sums.topic_key,
        sums.n_relevant,
        ideals.ideal_dcg,
        {{ over_total('sums.sum_of_precisions', 'sums.n_relevant') }} as "AP",
        coalesce(sums.n_relevant_at_cutoff, 0) / {{ sampled_cutoff() }} as "{{ measures[1] }}",
        coalesce(sums.n_relevant, 0) as "NumRel",
        {{ over_total('sums.dcg', 'ideals.ideal_dcg') }} as "nDCG"
    from sums
    left join ideals using (topic_key)

),

-- one row per run, topic and document: how much each score would change with the weight of the document. Of a ratio,
-- the share of the denominator's change is taken off (linearization; Särndal, Swensson & Wretman 1992, chapter 5).
influences as (

    select
        paired.run_key,
        paired.topic_key,
        paired.stratum,
        paired.weight,
        paired.pair_weight,
        paired.between_factor,
        paired.n_answered_of_stratum,
        paired.n_answered,
        case
            when paired.is_relevant
                then (
                    coalesce((1 + paired.pairs_above / paired.weight) / paired.rank, 0)
                    + paired.pairs_below / paired.weight
                    - scores."AP"
                ) / scores.n_relevant
            else 0
        end as "AP",
        case when paired.is_found and paired.rank <= {{ sampled_cutoff() }} then 1 / {{ sampled_cutoff() }} else 0 end
            as "{{ measures[1] }}",
        cast(paired.is_relevant as integer) as "NumRel",
        (paired.discounted_gain - scores."nDCG" * coalesce(ideal_steps.added_per_document, 0)) / scores.ideal_dcg
            as "nDCG"
    from paired
    inner join scores using (run_key, topic_key)
    left join ideal_steps using (topic_key, gain)

),

measured_influences as (

    select * rename (score as influence)
    from ({{ unpivot_measures('influences', measures) }})

),

-- one row per run, topic, measure and stratum that has a relevant document
strata as (

    select
        run_key,
        topic_key,
        measure,
        weight,
        pair_weight,
        between_factor,
        n_answered_of_stratum,
        n_answered,
        sum(influence) as total,
        sum(influence * influence) as total_of_squares
    from measured_influences
    group by
        run_key,
        topic_key,
        measure,
        stratum,
        weight,
        pair_weight,
        between_factor,
        n_answered_of_stratum,
        n_answered

),

-- one row per run, topic and measure: the variance of Sen, Yates & Grundy (1953), a sum over pairs of documents
variances as (

    select
        run_key,
        topic_key,
        measure,
        -- pairs within a stratum
        sum(
            (pair_weight - weight * weight) * (n_answered_of_stratum * total_of_squares - total * total)
        )
        -- pairs of two strata
        + (1 / any_value(between_factor) - 1) * (
            sum(weight * weight * ((n_answered - n_answered_of_stratum) * total_of_squares + total * total))
            - pow(sum(weight * total), 2)
        ) as variance
    from strata
    group by
        run_key,
        topic_key,
        measure

),

measured_scores as (

    {{ unpivot_measures('scores', measures) }}

),

estimates as (

    select
        measured_scores.run_key,
        measured_scores.topic_key,
        measured_scores.measure,
        measured_scores.score,
        -- below 0 only by float noise
        greatest(variances.variance, 0) as variance
    from measured_scores
    left join variances using (run_key, topic_key, measure)

)

select * from estimates
