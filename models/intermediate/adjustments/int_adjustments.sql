{#- Each estimator is a folder of models and one row of the seed `estimators`. Its last model has these rows. -#}
{%- set last_models = [
    'int_adjustments_unadjusted',
    'int_adjustments_webber_park_systems',
    'int_adjustments_lipani',
    'int_adjustments_expected_relevance',
    'int_adjustments_filled',
] -%}
{{ config(materialized='table', meta={'rule': 'by_collection'}) }}

with

{{ imports(*last_models) }},

-- one row per candidate, level, treatment, measure and estimator; only expected_relevance and rectified scores have
-- intervals
adjustments as (

    {% for name in last_models %}
        select * replace (cast(adjustment as double) as adjustment) from {{ name[4:] }}
        {{ 'union all by name' if not loop.last }}
    {% endfor %}

)

select * from adjustments
