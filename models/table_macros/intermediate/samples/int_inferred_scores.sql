{{ config(arguments=['collection', 'design']) }}
-- Inferred AP by strata (Yilmaz, Kanoulas & Aslam 2008); of one stratum, it is infAP (Yilmaz & Aslam 2006).

with

{{ imports('int_rankings') }},

frame as (

    select * from {{ ref('int_sampling_frame') }}(collection, design)
    where is_scored

),

-- one row per topic: its number of relevant documents, as every sampled document stands for others of its stratum
topics as (

    select
        topic_key,
        sum(n_documents / n_answered_of_stratum) filter (where is_relevant) as n_relevant
    from frame
    group by topic_key

),

-- one row per run, topic and document of the frame that the run returns. A new segment of the ranking begins at each
-- relevant document that is sampled.
retrieved as (

    select
        rankings.run_key,
        rankings.topic_key,
        rankings.rank,
        frame.stratum,
        frame.n_documents / frame.n_answered_of_stratum as n_stood_for,
        frame.is_answered,
        frame.is_relevant,
        count(*) filter (where frame.is_relevant) over to_rank as segment
    from frame
    inner join rankings using (collection_key, topic_key, doc_key)
    window to_rank as (partition by rankings.run_key, rankings.topic_key order by rankings.rank)

),

-- one row per run, topic, segment and stratum: a cell, whose documents have the same relevant ones below
cells as (

    select
        run_key,
        topic_key,
        segment,
        stratum,
        any_value(n_stood_for) as n_stood_for,
        max(rank) filter (where is_relevant) as relevant_rank,
        cast(count(*) as double) as n,
        cast(count(*) filter (where is_answered) as double) as n_answered,
        cast(count(*) filter (where is_relevant) as double) as n_relevant
    from retrieved
    group by
        run_key,
        topic_key,
        segment,
        stratum

),

-- the same rows with counts of the stratum, down to the cell. They are floats, because integers with the smoothing
-- would be decimals.
counted as (

    select
        *,
        sum(n) over to_cell as nth,
        sum(n_relevant) over to_cell as nth_relevant,
        sum(n_answered) over to_cell as nth_answered
    from cells
    window to_cell as (partition by run_key, topic_key, stratum order by segment)

),

-- one row per run, topic and segment: the number of relevant documents that is expected of it, and the relevant
-- document at its top
segments as (

    select
        run_key,
        topic_key,
        segment,
        max(relevant_rank) as rank,
        coalesce(any_value(n_stood_for) filter (where n_relevant > 0), 0) as n_stood_for,
        sum(
            {{ expected_relevant('nth', 'nth_relevant', 'nth_answered') }}
            - {{ expected_relevant('(nth - n)', '(nth_relevant - n_relevant)', '(nth_answered - n_answered)') }}
        ) as n_expected
    from counted
    group by
        run_key,
        topic_key,
        segment

),

-- the same rows with the precision at the relevant document, whose weight is the documents that it stands for over its
-- rank. The weights are added up.
precisions as (

    select
        run_key,
        topic_key,
        segment,
        n_stood_for,
        (1 + coalesce(sum(n_expected) over above, 0)) / rank as precision_at_top,
        coalesce(sum(n_stood_for / rank) over to_segment, 0) as weight
    from segments
    window
        to_segment as (partition by run_key, topic_key order by segment),
        above as (partition by run_key, topic_key order by segment rows between unbounded preceding and 1 preceding)

),

-- one row per run and topic with a relevant document that is sampled
scores as (

    select
        precisions.run_key,
        precisions.topic_key,
        any_value(topics.n_relevant) as n_relevant,
        max(precisions.weight) as weight,
        sum(precisions.n_stood_for * precisions.precision_at_top) / any_value(topics.n_relevant) as score
    from precisions
    inner join topics using (topic_key)
    where precisions.segment > 0
    group by
        precisions.run_key,
        precisions.topic_key

),

-- the rows of cells, of the run and topics of scores. `slope` is how much the precisions down to the next cell of the
-- stratum would rise if the share of relevant documents in the stratum did, over the answered ones.
slopes as (

    select
        counted.run_key,
        counted.topic_key,
        counted.segment,
        counted.stratum,
        counted.n_stood_for,
        counted.n_relevant,
        counted.n_answered - counted.n_relevant as n_not_relevant,
        counted.nth_relevant / nullif(counted.nth_answered, 0) as share,
        scores.score,
        scores.n_relevant as n_relevant_of_topic,
        precisions.precision_at_top,
        (coalesce(lead(precisions.weight) over of_stratum, scores.weight) - precisions.weight)
        * counted.nth / nullif(counted.nth_answered, 0) as slope
    from counted
    inner join precisions using (run_key, topic_key, segment)
    inner join scores using (run_key, topic_key)
    window of_stratum as (partition by counted.run_key, counted.topic_key, counted.stratum order by counted.segment)

),

-- the same rows: how much the score would change with the number of documents that a relevant document of the cell
-- stands for, or another answered one (linearization; Särndal, Swensson & Wretman 1992, chapter 5)
influences as (

    select
        *,
        (
            precision_at_top - score + coalesce(sum(slope * (1 - share)) over below, 0) / n_stood_for
        ) / n_relevant_of_topic as of_relevant,
        -coalesce(sum(slope * share) over below, 0) / n_stood_for / n_relevant_of_topic as of_not_relevant
    from slopes
    window
        below as (
            partition by run_key, topic_key, stratum
            order by segment rows between current row and unbounded following
        )

),

-- one row per run, topic and stratum of which the run returns a document
returned_strata as (

    select
        run_key,
        topic_key,
        stratum,
        sum(n_relevant) as n_relevant,
        sum(coalesce(n_relevant * of_relevant, 0) + n_not_relevant * of_not_relevant) as total,
        sum(coalesce(n_relevant * pow(of_relevant, 2), 0) + n_not_relevant * pow(of_not_relevant, 2))
            as total_of_squares
    from influences
    group by
        run_key,
        topic_key,
        stratum

),

-- one row per topic and stratum
strata as (

    select
        topic_key,
        stratum,
        any_value(n_documents) as n_documents,
        any_value(n_answered_of_stratum) as n_answered,
        count(*) filter (where is_relevant) as n_relevant
    from frame
    group by
        topic_key,
        stratum

),

-- one row per run, topic of scores and stratum: sums of influences, to which each relevant document that the run does
-- not return adds the same
run_strata as (

    select
        scores.run_key,
        scores.topic_key,
        strata.n_documents,
        strata.n_answered,
        strata.n_relevant - coalesce(returned.n_relevant, 0) as n_not_returned,
        -scores.score / scores.n_relevant as influence_not_returned,
        coalesce(returned.total, 0) + n_not_returned * influence_not_returned as total,
        coalesce(returned.total_of_squares, 0) + n_not_returned * pow(influence_not_returned, 2) as total_of_squares
    from scores
    inner join strata using (topic_key)
    left join returned_strata as returned using (run_key, topic_key, stratum)

),

-- one row per run and topic of scores: a simple random sample of each stratum. A stratum that is answered wholly adds
-- nothing.
variances as (

    select
        run_key,
        topic_key,
        sum(
            n_documents * (n_documents - n_answered) / n_answered
            * (total_of_squares - total * total / n_answered) / (n_answered - 1)
        ) filter (where n_answered < n_documents) as variance
    from run_strata
    group by
        run_key,
        topic_key

),

estimates as (

    select
        scores.run_key,
        scores.topic_key,
        scores.score,
        -- below 0 only by float noise
        greatest(coalesce(variances.variance, 0), 0) as variance
    from scores
    inner join variances using (run_key, topic_key)

)

select * from estimates
