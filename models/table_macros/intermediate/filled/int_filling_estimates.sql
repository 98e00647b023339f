{{ config(arguments=['collection', 'asked']) }}
-- The estimates by labels, and those without labels, when the organization of a run has left.

with

{{ imports('quantiles') }},

{{ t_quantiles() }},

filled as materialized (

    select * from {{ ref('int_filled_scores') }}(collection, asked, null)

),

-- one row per pooled run
pooled as (

    select
        run_key,
        run_id,
        organization_key,
        unjudged_share,
        true_score,
        unpooled_score
    from filled
    qualify row_number() over (partition by run_key order by author_key) = 1

),

-- the runs with an expected score
expected as (

    select
        pooled.*,
        expected_scores.if_pooled
        {%- for name in interval_ends() %},
            expected_scores.{{ name | replace('ci', 'if_pooled') }} as {{ name }}
        {%- endfor %}
    from pooled
    inner join {{ ref('int_asked_expected_scores') }}(collection, asked, is_required := false) as expected_scores
        using (run_id)
    where {{ has_expected_score() }}

),

-- one row per estimator and pooled run, with its intervals
estimated as (

    {%- set common = ['run_key', 'organization_key', 'unjudged_share', 'true_score'] %}
    select
        {{ common | join(',\n        ') }},
        'unadjusted' as estimator,
        null as author,
        unpooled_score as estimate,
        {{ no_interval() }}
    from pooled
    union all
    select
        {{ common | join(',\n        ') }},
        'expected_relevance' as estimator,
        null as author,
        if_pooled as estimate,
        {{ interval_ends() | join(',\n        ') }}
    from expected
    union all
    select
        {{ common | join(',\n        ') }},
        concat('{{ filled_by() }}', author) as estimator,
        author,
        filled_score as estimate,
        {{ no_interval() }}
    from filled
    union all
    select
        {{ common | join(',\n        ') }},
        concat('{{ rectified_by() }}', author) as estimator,
        author,
        filled.rectified_score as estimate,
        {{ t_interval_columns('filled.rectified_score', 'filled.standard_error', prefix='ci') }}
    from filled
    left join t_quantiles on {{ has_t_quantiles('filled.degrees_of_freedom') }}
    where filled.rectified_score is not null

),

-- the same rows with the error; float noise does not count
estimates as (

    select
        *,
        {{ comparable('true_score') }} as true_value,
        {{ comparable('estimate') }} as estimated_value,
        estimate - true_score as error
    from estimated
    where true_score is not null

)

select * from estimates
