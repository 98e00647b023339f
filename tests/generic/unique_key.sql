{#- Fail for each combination of the columns that occurs in more than one row. The test checks the grain. -#}
{% test unique_key(model, columns) %}

select
    {{ columns | join(', ') }},
    count(*) as n_rows
from {{ model }}
group by {{ columns | join(', ') }}
having count(*) > 1

{% endtest %}
