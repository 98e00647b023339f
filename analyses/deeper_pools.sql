-- question: How far would a deeper pool have helped?
-- about: judgements
--
-- The contribution of each tenth of the pool: the documents that no pooled run
-- has at a higher rank, and how many of them are relevant. Where the last tenth
-- still contributes a large share of all relevant documents, more of them lie
-- below the pool. Documents that are in the qrels for other reasons are not
-- counted.
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
        n := (
            select pool_depth from dim_collections
            where collection_id = $collection
        )
    )

),

-- one row per document of the pool
tenths as (

    select
        ceil(10 * pool.best_rank / collections.pool_depth) as tenth,
        pool.best_rank,
        pool.is_relevant
    from pool
    cross join collections

),

-- one row per tenth with a document
yields as (

    select
        min(best_rank) as from_rank,
        max(best_rank) as to_rank,
        count(*) as n_documents,
        count(*) filter (where is_relevant) as n_relevant
    from tenths
    group by tenth

),

shares as (

    select
        *,
        n_relevant / n_documents as relevant_share,
        n_relevant / nullif(sum(n_relevant) over (), 0) as share_of_all_relevant
    from yields

)

select * from shares
order by from_rank

-- sample: --collection shallow-pool
--                                                              share_of_all_
-- from_rank  to_rank  n_documents  n_relevant  relevant_share       relevant
-- ──────────────────────────────────────────────────────────────────────────
--         1        1          122          81          0.6639         0.1828
--         2        2          104          57          0.5481         0.1287
--         3        3          109          54          0.4954         0.1219
--         4        4          100          37          0.3700         0.0835
--         5        5           97          46          0.4742         0.1038
-- 5 of 10 rows
