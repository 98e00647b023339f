-- One row per pooled run, measure and estimator, when its organization has left the pool: the weight of its unjudged
-- documents, which is how much of its score is a hole, and the error of the score: as it is, by expected relevance, and
-- filled by the authors of labels. No rows where the collection has one author.
with

by_authors as (

    select estimator
    from dim_estimators
    where starts_with(needs, 'labels')

),

scores as (

    select scores.*
    from fct_adjusted_scores as scores
    where
        list_contains($collections, scores.collection_id)
        and scores.level = 'organization'
        and scores.subset = 'all'
        and scores.unjudged = 'nonrelevant'

),

-- the estimators that are compared, if the authors of this collection have any
compared as (

    select scores.*
    from scores
    where
        scores.estimator in (select by_authors.estimator from by_authors)
        or (
            scores.estimator in ('unadjusted', 'expected_relevance')
            and exists (
                select 1
                from scores as filled
                where
                    scores.collection_id = filled.collection_id
                    and filled.estimator in (select by_authors.estimator from by_authors)
            )
        )

)

select
    compared.collection_id,
    compared.measure,
    compared.estimator,
    regexp_replace(compared.estimator, '^(filled|rectified)_by_', '') as filled_by,
    case when starts_with(compared.estimator, 'rectified_by_') then 'rectified' else 'as it is' end as variant,
    compared.run_id,
    runs.organization,
    compared.upper_bound - compared.lower_bound as unjudged_weight,
    abs(compared.error) as absolute_error,
    compared.error
from compared
inner join dim_runs as runs
    on
        compared.collection_id = runs.collection_id
        and compared.run_id = runs.run_id
order by
    compared.measure,
    compared.estimator,
    compared.run_id
