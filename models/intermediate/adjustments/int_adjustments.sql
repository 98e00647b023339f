with

{{ imports(webber_park_systems='int_adjustments_webber_park_systems', lipani='int_adjustments_lipani') }},

-- Each estimator is a folder of models and one row of the seed `estimators`. Its last model has these rows.
unadjusted as (

    select * from {{ ref('int_adjustments_unadjusted') }}

),

-- one row per candidate, level, treatment, measure and estimator
adjustments as (

    select * from unadjusted
    union all by name
    select * from webber_park_systems
    union all by name
    select * from lipani

)

select * from adjustments
