{{ config(arguments=['collection', 'standard_error']) }}

with

{{ imports('dim_collections') }},

topic_deltas as (

    select * from {{ ref('fct_topic_deltas') }}
    -- where the argument is null, the engine would not read a row, and would not reach the error below
    where collection_id = coalesce(collection, '')

),

-- one row: the collection; or an error that says which argument is wrong
asked as (

    select
        case
            when max(collection_id) is null then {{ no_such_collection('collection') }}
            when not bool_or(is_judged) then {{ not_judged('collection') }}
            when not coalesce(standard_error > 0 and isfinite(standard_error), false)
                then error(
                    'the standard error is ' || coalesce(cast(standard_error as varchar), 'null')
                    || ', expected a number above 0'
                )
            when max(pool_depth) is null then error(max(how_judged))
            when max(n_pooled_runs) = 0
                then error('collection ''' || collection || ''' has no pooled runs to infer from')
            else max(collection_id)
        end as collection_id
    from collections
    where collection_id = collection

),

-- one row per pooled run, level, measure and estimator
variances as (

    select
        collection_id,
        level,
        measure,
        run_id,
        n_topics,
        estimator,
        variance
    from topic_deltas
    {{ variance_by_estimator() }}

),

-- the same rows: number of common topics that the run would have needed if it had not been pooled
needed as (

    select
        variances.collection_id,
        variances.level,
        variances.measure,
        variances.run_id,
        variances.n_topics,
        variances.estimator,
        {{ common_topics_needed_by('estimator', 'variance', 'n_topics', 'standard_error') }} as n_common_topics
    from asked
    inner join variances using (collection_id)

),

-- one row per level, measure and estimator
summed_up as (

    select
        collection_id,
        level,
        measure,
        estimator,
        standard_error as standard_error,
        max(n_topics) as n_topics,
        cast(count(*) as integer) as n_runs,
        quantile_disc(n_common_topics, 0.5) as n_for_half_of_the_runs,
        quantile_disc(n_common_topics, 0.9) as n_for_nine_in_ten,
        max(n_common_topics) as n_for_all_runs
    from needed
    group by all

)

select * from summed_up
