{{ config(arguments=['collection', 'asked', 'author']) }}

with

{{ imports('quantiles', 'int_runs') }},

{{ t_quantiles() }},

filled as (

    select * from {{ ref('int_filled_scores') }}(collection, asked, coalesce(author, ''))

),

-- one row per pooled run, if the measure has an expected score
expected as (

    select
        run_id,
        if_pooled
    from {{ ref('int_asked_expected_scores') }}(collection, asked, is_required := false)
    where {{ has_expected_score() }}

),

named as (

    select
        collection as collection_id,
        filled.run_id,
        runs.organization,
        asked as measure,
        author as author,
        filled.n_topics,
        filled.unjudged_share,
        filled.labelled_share,
        filled.true_score,
        filled.unpooled_score,
        filled.filled_score,
        filled.rectified_score,
        filled.standard_error,
        {{ t_interval_columns('filled.rectified_score', 'filled.standard_error') }},
        expected.if_pooled as expected_score
    from filled
    inner join runs using (run_key)
    left join expected on filled.run_id = expected.run_id
    left join t_quantiles on {{ has_t_quantiles('filled.degrees_of_freedom') }}

)

select * from named
