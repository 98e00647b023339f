-- Measures of one of the lists that another lacks, or has otherwise: each file of macros/measures has
-- a row in the seed that says how it is written, and each row a file. The bias is estimated only for
-- measures that the marts hold and that do not divide by what is relevant.
with

measures as (

    select * from {{ ref('measures') }}

),

materialized_measures as (

    select * from {{ ref('dim_measures') }}

),

computed (name, usage) as (

    values
    {% for signature in measure_signatures().values() %}
        ('{{ signature.name }}', '{{ measure_usage(signature) }}'){{ ',' if not loop.last }}
    {% endfor %}

),

estimated (measure) as (

    values
    {% for measure_id in var('bias_measures') %}
        ('{{ measure_id }}'){{ ',' if not loop.last }}
    {% endfor %}

)

select
    measures.usage as reviewed,
    computed.usage as computed
from measures
full join computed
    on
        measures.name = computed.name
        and measures.usage = computed.usage
where measures.name is null or computed.name is null
union all
select
    estimated.measure as reviewed,
    materialized_measures.measure as computed
from estimated
left join materialized_measures on estimated.measure = materialized_measures.measure
where coalesce(materialized_measures.is_recall_normalized, true)
