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
-- are expected to have there.
precisions as (

    select
        *,
        (1 + coalesce(sum(n_added) over above, 0)) / rank as expected_precision
    from added
    window above as (partition by run_key, topic_key order by rank rows between unbounded preceding and 1 preceding)

),

-- one row per run and topic with a relevant document that is sampled
sums as (

    select
        run_key,
        topic_key,
        sum(n_stood_for * expected_precision) as sum_of_precisions
    from precisions
    where is_relevant
    group by all

),

scores as (

    select
        sums.run_key,
        sums.topic_key,
        sums.sum_of_precisions / topics.n_relevant as score
    from sums
    inner join topics using (topic_key)

)

select * from scores
