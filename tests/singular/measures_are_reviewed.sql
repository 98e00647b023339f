-- Measures of one of the lists that another lacks, or has otherwise: each file of macros/measures has
-- a row in the seed that says how it is written, and each row a file.
with

measures as (

    select * from {{ ref('measures') }}

),

computed (name, usage) as (

    values
    {% for signature in measure_signatures().values() %}
        ('{{ signature.name }}', '{{ measure_usage(signature) }}'){{ ',' if not loop.last }}
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
