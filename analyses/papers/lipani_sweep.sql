-- question: What does Lipani's weight alpha change?
-- about: papers
--
-- Section 5.1 of Lipani et al. 2015: a row per level and measure P@n, with the
-- estimator by another weight alpha of the unpooled run's rank (equation 2;
-- docs/decisions/lipani_sweeps.md). alpha is from 0 to 1, in hundredths, and
-- subset is all or top_75. delta_precision and delta_anti_precision are means
-- over the n_runs runs, with the standard deviations
-- delta_precision_deviation and delta_anti_precision_deviation. n_triggered
-- counts the runs with lambda above 0, and n_corrected the triggered runs whose
-- score the correction changes. adjustment is the mean adjustment, and mae the
-- mean absolute error. With alpha equal to the setting lipani_alpha, the error
-- is the one of fct_estimator_errors.
--
-- parameter: collection
-- parameter: alpha = 0.5
-- parameter: subset = 'top_75'
with

{% set of_pools = [
    'int_pool_runs', 'int_pool_documents', 'int_unmerged_counts', 'int_candidate_topic_scores', 'int_candidate_bounds'
] %}
{% set given = [
    'int_merge_weights', 'int_pool_measures', 'int_rankings', 'int_judged_topics', 'int_run_topics', 'int_pooled_runs'
] + of_pools %}

{{ imports('int_collections', 'int_pool_measures') }},

-- one row per collection that has pooled runs
pooled_collections as (

    select distinct collection_key
    from {{ ref('int_pooled_runs') }}

),

-- one row: the arguments
asked as (

    select
        $collection as collection_id,
        cast($alpha as double) as alpha,
        $subset as subset

),

-- one row: the collection, the weight and the subset; or an error that says which argument is wrong
asked_collection as (

    select
        case
            when collections.collection_key is null then {{ no_such_collection('asked.collection_id') }}
            when not collections.is_judged then {{ not_judged('asked.collection_id') }}
            when pooled_collections.collection_key is null
                then error('collection ''' || asked.collection_id || ''' has no pooled runs to merge with')
            when not coalesce(asked.subset in ('all', 'top_75'), false)
                then error('the subset is ' || coalesce(asked.subset, 'null') || ', expected all or top_75')
            else collections.collection_key
        end as collection_key,
        case
            when
                coalesce(asked.alpha between 0 and 1, false)
                and abs(asked.alpha * 100 - round(asked.alpha * 100)) < 1e-9
                then {{ in_hundredths('asked.alpha') }}
            else
                error(
                    'alpha is ' || coalesce(cast(asked.alpha as varchar), 'null')
                    || ', expected a number from 0 to 1, in hundredths'
                )
        end as hundredths,
        asked.subset
    from asked
    left join collections on asked.collection_id = collections.collection_id
    left join pooled_collections using (collection_key)

),

-- the given weight replaces the setting
int_merge_weights as (

    select hundredths from asked_collection

),

-- the pools of precision in the requested subset
int_pool_measures as (

    select pool_measures.*
    from pool_measures
    inner join asked_collection on pool_measures.subset = asked_collection.subset
    where pool_measures.measure_name = 'P'

),

{% for name in given[2:] %}
    {{ name }} as {{ 'not materialized ' if name == 'int_rankings' }}(

        select of_all.*
        from asked_collection
        inner join {{ ref(name) }} as of_all using (collection_key)
        {%- if name in of_pools %}
            semi join int_pool_measures as asked_pools using (pool_key)
        {%- endif %}

    ),
{% endfor %}

{{ steps(['int_adjustments_lipani'], given) }},

-- they have no intervals
int_adjustments as (

    select
        *,
        {{ no_interval() }}
    from int_adjustments_lipani

),

{{ steps(['int_adjusted_scores'], given + ['int_candidates', 'int_candidate_scores', 'int_adjustments']) }},

-- one row per level, subset and measure
summed_up as (

    select
        $collection as collection_id,
        cast($alpha as double) as alpha,
        int_bias_indicators.level,
        int_pool_measures.subset,
        int_bias_indicators.measure,
        cast(count(*) as integer) as n_runs,
        avg(int_bias_indicators.delta_precision) as delta_precision,
        avg(int_bias_indicators.delta_anti_precision) as delta_anti_precision,
        stddev_samp(int_bias_indicators.delta_precision) as delta_precision_deviation,
        stddev_samp(int_bias_indicators.delta_anti_precision) as delta_anti_precision_deviation,
        cast(count(*) filter (where {{ lipani_triggers()['lambda'] }}) as integer) as n_triggered,
        cast(count(*) filter (where {{ signed('int_adjusted_scores.adjustment') }} > 0) as integer) as n_corrected,
        avg(int_adjusted_scores.adjustment) as adjustment,
        avg(abs(int_adjusted_scores.error)) as mae
    from int_bias_indicators
    inner join int_adjusted_scores using (collection_key, pool_key, level, run_key, measure)
    inner join int_pool_measures using (pool_key, measure)
    group by all

)

select * from summed_up
