-- One row per measure, collection and number of loaded runs: means over the held-out runs.
with

-- the name of a part has the collection, the draw and the number of loaded runs
parts as (

    select
        *,
        split_part(collection_id, ',', 1) as source,
        split_part(collection_id, ',', 3) as size
    from estimated

),

-- the truth: the score by all judgements
errors as (

    select
        parts.*,
        parts.estimator = 'expected_relevance' as is_own,
        abs(parts.estimate - scores.score) as error,
        abs(parts.score - scores.score) as error_of_score,
        abs(parts.advised - scores.score) as error_of_advice,
        scores.score between parts.low - 1e-9 and parts.high + 1e-9 as holds
    from parts
    inner join fct_run_scores as scores
        on
            parts.source = scores.collection_id
            and parts.run_id = scores.run_id
            and parts.measure = scores.measure
    where
        scores.judgement_set = 'full'
        and scores.unjudged = 'nonrelevant'

)

select
    measure,
    source,
    size,
    round(avg(pool_explains), 1) as explains,
    round(avg(n_organizations), 1) as organizations,
    count(*) filter (where is_own) as runs,
    round(avg(error_of_score) filter (where is_own), 4) as as_it_is,
    round(avg(error) filter (where estimator = 'webber_park_systems'), 4) as webber_park,
    round(avg(error) filter (where is_own), 4) as expected_relevance,
    count(*) filter (where is_own and holds) as holds,
    count(advised) filter (where is_own) as told,
    round(avg(error_of_advice) filter (where is_own), 4) as advised,
    round(avg(error_of_score) filter (where is_own and advised is not null), 4) as as_it_is_of_told,
    round(avg(off_by) filter (where is_own and advised is not null), 4) as off_by
from errors
group by all
order by measure desc, source, explains
