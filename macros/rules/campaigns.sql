{#-
    A window over collections in the order in which a campaign had them: those of one track and task, by year and
    then by name. Where no track or no year is declared, none comes before another: nothing is compared, since
    `is_dated` is part of the window and of what is read by it.
-#}
{% macro campaign_window(more_keys=[]) -%}
    (
        partition by {{ (more_keys + ['track', 'task', is_dated()]) | join(', ') }}
        order by year, collection_id
    )
{%- endmacro %}

{#- Whether a collection has a place among others. -#}
{% macro is_dated() -%}
    (track is not null and year is not null)
{%- endmacro %}

{#- A value of the collection before; null where there is none. `campaign` is the window's name. -#}
{% macro before(value, campaign='campaign') -%}
    case when {{ is_dated() }} then lag({{ value }}) over {{ campaign }} end
{%- endmacro %}
