-- question: How far would a deeper pool have helped?
-- about: judgements
--
-- What each tenth of the pool brought: documents that no pooled run has higher up, and how many of them are relevant. Where the last
-- tenth still brings a good share of all relevant documents, more of them lie below the pool. Documents that the qrels got
-- in another way are not counted.
--
-- parameter: collection
with

collections as (

    select * from dim_collections
    where collection_id = $collection

),

pool as (

    select * from fair_judgements(
        $collection,
        'depth',
        n := (select pool_depth from dim_collections where collection_id = $collection)
    )

),

-- one row per document of the pool
tenths as (

    select
        cast(ceil(10 * pool.best_rank / collections.pool_depth) as integer) as tenth,
        pool.best_rank,
        pool.is_relevant
    from pool
    cross join collections

),

-- one row per tenth in which there is a document
yields as (

    select
        min(best_rank) as from_rank,
        max(best_rank) as to_rank,
        count(*) as n_judged,
        count(*) filter (where is_relevant) as n_relevant,
        count(*) filter (where is_relevant) / count(*) as relevant_share,
        count(*) filter (where is_relevant) / sum(count(*) filter (where is_relevant)) over () as share_of_all_relevant
    from tenths
    group by tenth

)

select * from yields
order by from_rank

-- sample: --collection shallow-pool
