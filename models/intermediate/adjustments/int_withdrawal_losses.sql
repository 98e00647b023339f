{{ config(materialized='table', meta={'rule': 'by_pool'}) }}

with

withdrawals as (

    select * from {{ ref('int_withdrawals') }}
    where {{ is_at_hand() }}

),

pairs as (

    select * from {{ ref('int_pool_pairs') }}
    where {{ is_at_hand() }}

),

run_topics as (

    select * from {{ ref('int_run_topics') }}
    where {{ is_at_hand() }}

),

-- one row per run
topic_counts as (

    select
        run_key,
        count(*) as n_topics
    from run_topics
    group by run_key

),

-- whether the unpooled run takes the place of the withdrawn one
variants as (

    select * from (values (true), (false)) as listed (has_substitution)

),

-- one row per pair and variant: every pair, also those that lose nothing
grid as (

    select
        pairs.collection_key,
        pairs.pool_key,
        pairs.level,
        pairs.unpooled_run_key,
        pairs.pooled_run_key,
        variants.has_substitution
    from pairs
    cross join variants

),

-- the documents that each loses; a pair that loses none keeps one empty row
lost as (

    select
        grid.*,
        withdrawals.rank,
        withdrawals.rank is not null as is_relevant
    from grid
    left join withdrawals
        on
            grid.collection_key = withdrawals.collection_key
            and grid.pool_key = withdrawals.pool_key
            and grid.level = withdrawals.level
            and grid.unpooled_run_key = withdrawals.unpooled_run_key
            and grid.pooled_run_key = withdrawals.pooled_run_key
            and not (grid.has_substitution and withdrawals.is_substituted)

),

-- one row per pair and variant, one column per measure: these measures add up over documents, so
-- that the score of the lost documents is the loss; summed over topics
measured as (

    select
        collection_key,
        pool_key,
        level,
        unpooled_run_key,
        pooled_run_key,
        has_substitution,
        {{ measure_columns(var('bias_measures')) }}
    from lost
    group by
        collection_key,
        pool_key,
        level,
        unpooled_run_key,
        pooled_run_key,
        has_substitution

),

unpivoted as (

    {{ unpivot_measures('measured', var('bias_measures')) }}

),

-- one row per pair, variant and measure: the mean over the topics that the withdrawn run answers
losses as (

    select
        unpivoted.collection_key,
        unpivoted.pool_key,
        unpivoted.level,
        unpivoted.unpooled_run_key,
        unpivoted.pooled_run_key,
        unpivoted.has_substitution,
        unpivoted.measure,
        unpivoted.score / topic_counts.n_topics as loss
    from unpivoted
    inner join topic_counts on unpivoted.pooled_run_key = topic_counts.run_key

)

select * from losses
