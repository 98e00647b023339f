{#-
    A window over collections in the order of their campaign: the collections of one track and task, by year and
    then by name. A collection without a track or a year comes before none, and by `before` after none.
-#}
{% macro campaign_window(more_keys=[]) -%}
    (
        partition by {{ (more_keys + ['track', 'task', is_dated()]) | join(', ') }}
        order by year, collection_id
    )
{%- endmacro %}

{#- Whether a collection has a place among other collections. -#}
{% macro is_dated() -%}
    (track is not null and year is not null)
{%- endmacro %}

{#- A value of the previous collection; null where there is none. `campaign` is the name of the window. -#}
{% macro before(value, campaign='campaign') -%}
    case when {{ is_dated() }} then lag({{ value }}) over {{ campaign }} end
{%- endmacro %}
