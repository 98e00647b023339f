{#- The message of a table macro that scores, for a collection that has no qrels. -#}
{% macro not_judged(collection) -%}
    error(
        'collection ''' || {{ collection }} || ''' is not judged yet, so that nothing is scored: '
        || 'run poolhouse load COLLECTION --qrels FILE, or poolhouse pool load COLLECTION LIST, and then poolhouse build'
    )
{%- endmacro %}
