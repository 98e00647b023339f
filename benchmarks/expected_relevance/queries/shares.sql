-- One row per kind of collection and class of the share of weight, down to the pool depth, that is unjudged: errors and
-- coverage over all pools that are as deep as the measure. Standard errors are over organizations of collections.
with

errors as (

    select
        rows.*,
        regexp_matches(collection_id, '^(TREC|DL)') as is_archive,
        regexp_extract(collection_id, '^[^,]*') || organization as cluster,
        estimate - true_score as error,
        unjudged_weight / case measure when 'RBP(p=0.8)@10' then 1 - pow(0.8, 10) else 1 end as share
    from rows
    where
        measure in ('P@5', 'P@10', 'P@20', 'P@100', 'RBP(p=0.8)@10')
        and estimator in ('unadjusted', 'expected_relevance', 'webber_park by organization')
        and unjudged_weight > 1e-9
        and is_in_depth

),

classes as (

    select
        *,
        len(list_filter([0.05, 0.2, 0.4, 0.6, 0.8], lambda edge : edge < share)) as class
    from errors

),

figures as (

    select
        is_archive,
        class,
        cluster,
        unnest([
            {'figure': 'unadjusted', 'value': case when estimator = 'unadjusted' then abs(error) end},
            {
                'figure': 'webber_park by organization',
                'value': case when estimator = 'webber_park by organization' then abs(error) end
            },
            {'figure': 'expected_relevance', 'value': case when estimator = 'expected_relevance' then abs(error) end},
            {'figure': 'bias', 'value': case when estimator = 'expected_relevance' then error end},
            {'figure': 'coverage_68', 'value': cast(abs(error) <= half_width_68 + 1e-9 as integer)},
            {'figure': 'coverage_95', 'value': cast(abs(error) <= half_width_95 + 1e-9 as integer)}
        ], recursive := true)
    from classes

),

means as (

    select
        is_archive,
        class,
        figure,
        avg(value) as value,
        count(value) as n
    from figures
    group by all

),

clusters as (

    select
        figures.is_archive,
        figures.class,
        figures.figure,
        figures.cluster,
        sum(figures.value - means.value) as deviation
    from figures
    inner join means
        on
            figures.is_archive = means.is_archive
            and figures.class = means.class
            and figures.figure = means.figure
    where figures.value is not null
    group by all

)

select
    means.is_archive,
    [0, 0.05, 0.2, 0.4, 0.6, 0.8][means.class + 1] as share_above,
    means.figure,
    means.n,
    count(*) as n_clusters,
    means.value,
    sqrt(sum(pow(clusters.deviation, 2)) * count(*) / nullif(count(*) - 1, 0)) / any_value(means.n) as standard_error
from means
inner join clusters
    on
        means.is_archive = clusters.is_archive
        and means.class = clusters.class
        and means.figure = clusters.figure
group by all
order by all
