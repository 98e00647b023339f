-- One row per class of probabilities, which are tenths: how many documents that are unjudged without their
-- organizations were expected to be relevant, and how many are. The error bar is twice the standard error over
-- organizations.
with

documents as (

    select
        expected.collection_id,
        runs.organization,
        least(floor(expected.probability * 10), 9) as tenth,
        expected.probability,
        cast(expected.is_relevant as integer) as is_relevant
    from fct_expected_relevance as expected
    inner join dim_runs as runs
        on
            expected.collection_id = runs.collection_id
            and expected.run_id = runs.run_id
    where
        list_contains($collections, expected.collection_id)
        and expected.is_pooled

),

organizations as (

    select
        collection_id,
        tenth,
        organization,
        sum(probability) as n_expected,
        sum(is_relevant) as n_relevant,
        count(*) as n_documents,
        sum(sum(is_relevant)) over same_class / sum(count(*)) over same_class as mean_share
    from documents
    group by
        collection_id,
        tenth,
        organization
    window same_class as (partition by collection_id, tenth)

),

-- one row per class: the standard error of a share over organizations
classes as (

    select
        collection_id,
        tenth,
        sum(n_expected) / sum(n_documents) as expected_share,
        sum(n_relevant) / sum(n_documents) as relevant_share,
        case
            when count(*) > 1
                then
                    sqrt(sum(pow(n_relevant - n_documents * mean_share, 2)) * count(*) / (count(*) - 1))
                    / sum(n_documents)
        end as standard_error,
        cast(sum(n_documents) as integer) as n_documents
    from organizations
    group by
        collection_id,
        tenth

)

select
    *,
    greatest(relevant_share - 2 * standard_error, 0) as low,
    least(relevant_share + 2 * standard_error, 1) as high
from classes
order by tenth
