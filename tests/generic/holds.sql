{#-
    Fail for each row on which an identity does not hold or is null, because a comparison that passes on null would
    guard nothing. `where` limits the rows that are tested.
-#}
{% test holds(model, identity) %}

select *
from {{ model }}
where ({{ identity }}) is distinct from true

{% endtest %}
