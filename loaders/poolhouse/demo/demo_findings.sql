-- One row per simulated collection: its pool, the loss of P@10 of runs whose organization is left
-- out, and the error of each estimator. The true score of a pooled run is known, because all pools
-- are deep enough: each document of its top 10 is judged.
with

adjusted as (

    select * from fct_adjusted_scores
    where
        level = 'organization'
        and subset = 'all'
        and unjudged = 'nonrelevant'
        and measure = 'P@10'

),

-- one row per collection and organization: the bias against its runs
organization_bias as (

    select
        adjusted.collection_id,
        dim_runs.organization,
        avg(adjusted.unpooled_score - adjusted.true_score) as bias
    from adjusted
    inner join dim_runs
        on
            adjusted.collection_id = dim_runs.collection_id
            and adjusted.run_id = dim_runs.run_id
    where adjusted.estimator = 'unadjusted'
    group by
        adjusted.collection_id,
        dim_runs.organization

),

-- one row per collection: the organization that loses most
worst as (

    select
        collection_id,
        min_by(organization, bias) as organization,
        min(bias) as bias
    from organization_bias
    group by collection_id

),

-- one row per collection: means over its pooled runs
errors as (

    select
        adjusted.collection_id,
        avg(adjusted.unpooled_score - adjusted.true_score) as bias,
        avg(abs(adjusted.error))
            filter (where adjusted.estimator = 'unadjusted') as unadjusted,
        avg(abs(adjusted.error))
            filter (where adjusted.estimator = 'webber_park_systems') as webber_park,
        avg(abs(adjusted.error))
            filter (where adjusted.estimator = 'webber_park_systems_no_substitution')
            as webber_park_no_substitution,
        avg(abs(adjusted.error))
            filter (where adjusted.estimator = 'lipani') as lipani,
        avg(abs(adjusted.error))
            filter (where adjusted.estimator = 'expected_relevance') as expected_relevance
    from adjusted
    group by adjusted.collection_id

)

select
    dim_collections.collection_id as collection,
    dim_collections.pool_depth as "pool depth",
    dim_collections.n_pooled_runs as "pooled runs",
    errors.bias as "bias, mean",
    worst.bias as "bias, organization that loses most",
    worst.organization as "  its name",
    errors.unadjusted as "error, unadjusted",
    errors.webber_park as "error, webber_park_systems",
    errors.webber_park_no_substitution as "error, webber_park_systems_no_substitution",
    errors.lipani as "error, lipani",
    errors.expected_relevance as "error, expected_relevance"
from errors
inner join dim_collections on errors.collection_id = dim_collections.collection_id
inner join worst on errors.collection_id = worst.collection_id
order by errors.unadjusted
