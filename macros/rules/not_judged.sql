{#- What a table macro that scores answers where the collection that it is asked for has no qrels. -#}
{% macro not_judged(collection) -%}
    error(
        'collection ''' || {{ collection }} || ''' is not judged yet, so that nothing is scored: '
        || 'poolhouse load COLLECTION --qrels FILE, then poolhouse build'
    )
{%- endmacro %}
