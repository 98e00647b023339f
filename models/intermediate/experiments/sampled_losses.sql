{{ config(materialized='table_macro', arguments=['collection', 'documents', 'width', 'depth']) }}

with

judged_topics as (

    select judged_topics.*
    from {{ ref('int_judged_topics') }} as judged_topics
    inner join {{ ref('int_collections') }} as collections
        on judged_topics.collection_key = collections.collection_key
    where collections.collection_id = collection

),

-- relevant documents that one pooled run alone contributes: it loses them when it is withdrawn
sole as (

    select
        sample,
        sole_rank as rank,
        is_relevant,
        coalesce(unpooled_rank <= depth, false) as is_substituted
    from query_table(documents)
    where
        is_relevant
        and sole_rank is not null

),

samples as (

    select distinct sample from query_table(documents)

),

-- whether the unpooled run takes the place of the withdrawn one, and keeps judged what it returned too
variants as (

    select * from (values (true), (false)) as listed (has_substitution)

),

-- the documents that the pooled runs of a sample lose; a sample that loses none keeps one empty row
lost as (

    select
        samples.sample,
        variants.has_substitution,
        sole.rank,
        sole.is_relevant
    from samples
    cross join variants
    left join sole
        on
            samples.sample = sole.sample
            and not (variants.has_substitution and sole.is_substituted)

),

-- one row per sample and variant, one column per measure: these measures add up over documents, so that
-- the score of the lost documents is the loss; summed over runs and topics
measured as (

    select
        sample,
        has_substitution,
        {{ experiment_measure_columns('depth') }}
    from lost
    group by
        sample,
        has_substitution

),

unpivoted as (

    {{ unpivot_measures('measured', var('experiment_measures')) }}

),

-- one row per sample, variant and measure: the mean loss of a pooled run
losses as (

    select
        sample,
        has_substitution,
        concat(measure, '@', depth) as measure,
        score / (width * (select count(*) from judged_topics)) as mean_loss
    from unpivoted

)

select * from losses
