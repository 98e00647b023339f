{#-
    Fails for each row on which an identity does not hold, or is null: a comparison that passes on
    null guards nothing. `where` limits the rows that it is about.
-#}
{% test holds(model, identity) %}

select *
from {{ model }}
where ({{ identity }}) is distinct from true

{% endtest %}
