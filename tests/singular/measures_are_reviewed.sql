-- Measures of one of the three lists that another lacks: those with a row in the seed and those that
-- are computed must be the same, and the bias is estimated only for measures among them that do not
-- divide by what is relevant.
with

measures as (

    select * from {{ ref('measures') }}

),

computed (measure) as (

    values
    {% for measure_id in var('measures') %}
        ('{{ measure_id }}'){{ ',' if not loop.last }}
    {% endfor %}

),

estimated (measure) as (

    values
    {% for measure_id in var('bias_measures') %}
        ('{{ measure_id }}'){{ ',' if not loop.last }}
    {% endfor %}

)

select
    measures.measure as reviewed,
    computed.measure as computed,
    estimated.measure as estimated
from measures
full join computed on measures.measure = computed.measure
full join estimated on measures.measure = estimated.measure
where
    measures.measure is null
    or computed.measure is null
    or (estimated.measure is not null and measures.is_recall_normalized)
