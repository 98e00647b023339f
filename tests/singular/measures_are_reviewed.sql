-- Return measures that only one of the lists has, or that the lists define differently. Each file of
-- macros/measures has a row in the seed that says how the measure is written, and each row has a file.
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
