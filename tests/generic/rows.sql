{#-
    Fail for each key that occurs in more than one row (the grain), that has a row with a null in one of the columns
    `not_null`, or that has a row on which an identity of `hold` is false or null. A comparison that passes on null would
    guard nothing. Without a key, all rows together fail. One test covers a model: a test for each column and each
    identity would plan the query of the model again. On small collections these plans took longer than all models.
-#}
{% test rows(model, key=[], not_null=[], hold=[]) %}

select
    {% for column in key %}{{ column }}, {% endfor %}
    count(*) as n_rows,
    count(*) filter (where {% for column in not_null %}"{{ column }}" is null or {% endfor %}false) as n_with_null,
    count(*) filter (
        where {% for identity in hold %}({{ identity }}) is distinct from true or {% endfor %}false
    ) as n_not_held
from {{ model }}
{% if key %}group by {{ key | join(', ') }}{% endif %}
having {{ 'n_rows > 1 or' if key }} n_with_null > 0 or n_not_held > 0

{% endtest %}
