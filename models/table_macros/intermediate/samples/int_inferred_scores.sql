{{ config(arguments=['collection', 'design']) }}
-- Inferred AP by strata (Yilmaz, Kanoulas & Aslam 2008); of one stratum, it is infAP (Yilmaz & Aslam 2006).

with

{{ imports('int_rankings') }},

frame as (

    select * from {{ ref('int_sampling_frame') }}(collection, design) where is_scored

),

-- one row per topic: its number of relevant documents, as every sampled document stands for others of its stratum
topics as (

    select
        topic_key,
        sum(n_documents / n_answered_of_stratum) filter (where is_relevant) as n_relevant
    from frame
    group by topic_key

),

-- one row per run, topic and document of the frame that the run returns
retrieved as (

    select
        rankings.run_key,
        rankings.topic_key,
        rankings.rank,
        frame.stratum,
        frame.n_documents / frame.n_answered_of_stratum as n_stood_for,
        frame.is_answered,
        frame.is_relevant
    from frame
    inner join rankings using (collection_key, topic_key, doc_key)

),

-- the same rows with counts of documents of the stratum, down to the document. They are floats, because integers with
-- the smoothing would be decimals, which take as long as the windows.
counted as (

    select
        *,
        cast(row_number() over of_stratum as double) as nth,
        cast(count(*) filter (where is_relevant) over of_stratum as double) as nth_relevant,
        cast(count(*) filter (where is_answered) over of_stratum as double) as nth_answered
    from retrieved
    window of_stratum as (partition by run_key, topic_key, stratum order by rank)

),

-- the same rows with what the document adds to the number of relevant documents that is expected of the stratum
added as (

    select
        *,
        {{ expected_relevant('nth', 'nth_relevant', 'nth_answered') }}
        - {{ expected_relevant(
            '(nth - 1)',
            '(nth_relevant - cast(is_relevant as integer))',
            '(nth_answered - cast(is_answered as integer))'
        ) }} as n_added
    from counted

),

-- the same rows with the precision at the document if it is relevant. All that was added above it is what the strata
-- are expected to have there. A relevant document's precision is worth the documents that it stands for over its rank,
-- which is added up to each rank.
precisions as (

    select
        *,
        (1 + coalesce(sum(n_added) over above, 0)) / rank as expected_precision,
        sum(case when is_relevant then n_stood_for / rank else 0 end) over to_rank as worth
    from added
    window
        to_rank as (partition by run_key, topic_key order by rank),
        above as (partition by run_key, topic_key order by rank rows between unbounded preceding and 1 preceding)

),

-- the same rows with what one more relevant document above would add to the precisions from this document of the
-- stratum to its next one, where the counts of the stratum stay the same
slopes as (

    select
        *,
        (
            coalesce(lead(worth) over of_stratum, max(worth) over (partition by run_key, topic_key)) - worth
        ) * nth / nullif(nth_answered, 0) as slope
    from precisions
    window of_stratum as (partition by run_key, topic_key, stratum order by rank)

),

-- the same rows with what the document adds to the precisions below it: as one more of the relevant documents, and as
-- one more of the answered ones
below as (

    select
        *,
        coalesce(sum(slope) over from_here, 0) as as_relevant,
        -coalesce(sum(slope * nth_relevant / nth_answered) over from_here, 0) as as_answered
    from slopes
    window
        from_here as (
            partition by run_key, topic_key, stratum order by rank rows between current row and unbounded following
        )

),

-- one row per run and topic with a relevant document that is sampled
scores as (

    select
        below.run_key,
        below.topic_key,
        any_value(topics.n_relevant) as n_relevant,
        sum(below.n_stood_for * below.expected_precision) / any_value(topics.n_relevant) as score
    from below
    inner join topics using (topic_key)
    where below.is_relevant
    group by
        below.run_key,
        below.topic_key

),

-- one row per run, topic of scores and answered document that the run returns: how much the score would change with
-- the number of documents that it stands for (linearization; Särndal, Swensson & Wretman 1992, chapter 5)
influences as (

    select
        below.run_key,
        below.topic_key,
        below.stratum,
        below.is_relevant,
        (
            case when below.is_relevant then below.expected_precision - scores.score else 0 end
            + (case when below.is_relevant then below.as_relevant else 0 end + below.as_answered) / below.n_stood_for
        ) / scores.n_relevant as influence
    from below
    inner join scores using (run_key, topic_key)
    where below.is_answered

),

-- one row per run, topic and stratum of which the run returns an answered document
returned_strata as (

    select
        run_key,
        topic_key,
        stratum,
        count(*) filter (where is_relevant) as n_relevant,
        sum(influence) as total,
        sum(influence * influence) as total_of_squares
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
