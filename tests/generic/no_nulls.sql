{#-
    Fail for each row that has a null in one of the columns. One test covers all columns of a model: with a test for
    each column, the tests took longer than the models on small collections.
-#}
{% test no_nulls(model, columns) %}

select *
from {{ model }}
where {{ columns | join(' is null or ') }} is null

{% endtest %}
