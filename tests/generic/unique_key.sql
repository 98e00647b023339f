{#- Fails for each combination of the columns that more than one row has: the grain, as a test. -#}
{% test unique_key(model, columns) %}

select
    {{ columns | join(', ') }},
    count(*) as n_rows
from {{ model }}
group by {{ columns | join(', ') }}
having count(*) > 1

{% endtest %}
