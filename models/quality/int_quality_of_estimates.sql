{#- Where an estimate stands, the figure, and the key of a row within a collection. -#}
{%- set estimates = [
    ['adjusted_scores', 'adjustment', ['run_id', 'level', 'subset', 'measure', 'unjudged', 'estimator']],
    [
        'experiment_estimates', 'estimate',
        ['experiment', 'population', 'width', 'sample', 'unjudged', 'measure', 'estimator'],
    ],
] -%}
with

{{ imports(
    adjusted_scores='fct_adjusted_scores where ' ~ is_named_at_hand(),
    experiment_estimates='fct_experiment_estimates where ' ~ is_named_at_hand()
) }},

-- one row per collection and figure. More judgements can only add relevant documents, so that an estimate is not below
-- zero where unjudged documents count as not relevant. Labels that are corrected for what they miss elsewhere may be.
figures as (

    {% for relation, column, key in estimates %}
        select
            collection_id,
            {{ figures(promised(
                column ~ '_not_below_zero',
                "unjudged = 'condensed' or starts_with(estimator, 'rectified_by_') or " ~ column ~ ' >= -' ~ float_noise(),
                naming=key, seen=[column]
            )) }}
        from {{ relation }}
        group by collection_id
        {{ 'union all' if not loop.last }}
    {% endfor %}

)

select * from figures
