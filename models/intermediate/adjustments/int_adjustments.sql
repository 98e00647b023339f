with

-- Each estimator is a folder of models and one row of the seed `estimators`. Its last model has these rows.
{{ imports(
    unadjusted='int_adjustments_unadjusted',
    webber_park_systems='int_adjustments_webber_park_systems',
    lipani='int_adjustments_lipani',
    expected_relevance='int_adjustments_expected_relevance',
    filled='int_adjustments_filled'
) }},

-- one row per candidate, level, treatment, measure and estimator; only expected_relevance and rectified scores have a
-- standard error
adjustments as (

    select * from unadjusted
    union all by name
    select * from webber_park_systems
    union all by name
    select * from lipani
    union all by name
    select * from expected_relevance
    union all by name
    select * from filled

)

select * from adjustments
