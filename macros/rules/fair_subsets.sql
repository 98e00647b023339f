{#-
    Fair subsets of the judgements (docs/unique_contributions.md). `depth` takes the documents that a shallower pool
    would contain. `contributions` takes the same number of documents of every organization in a topic. `unique`
    takes the same number of the documents that only one organization contributed.
-#}
{% macro fair_subsets() %}
    {{ return(['depth', 'contributions', 'unique']) }}
{% endmacro %}

{#-
    The branches of a `case` that say what is wrong with the arguments `collection`, `definition` and `n` of a fair
    subset. `pool_depth` is null where no run is pooled.
-#}
{% macro wrong_fair_subset(pool_depth) -%}
    when definition is null then error('an argument is null')
            when not list_contains({{ fair_subsets() }}, definition)
                then error(
                    definition || ' is not {{ fair_subsets()[:-1] | join(', ') }} or {{ fair_subsets()[-1] }}'
                )
            when {{ pool_depth }} is null
                then error(
                    'no run of ''' || collection || ''' is pooled, so the organizations that contributed are unknown'
                )
            when definition = 'depth' and n is null
                then error('the definition depth needs a number, such as n := 10')
            when definition = 'depth' and n not between 1 and {{ pool_depth }}
                then error(
                    'n is ' || n || ', expected a depth from 1 to the pool depth of ''' || collection || ''', '
                    || {{ pool_depth }}
                )
            when definition = 'contributions' and n < 1
                then error('n is ' || n || ', expected 1 or more documents of every organization')
            when definition = 'unique' and n < 0
                then error('n is ' || n || ', expected 0 or more documents of every organization')
{%- endmacro %}
