{#-
    The rank of a document in its run and topic where the collection was pooled by the rank in the file, or by its
    lines, and not by the score (`pooling_order`, a column of the collection). A document without this rank or line
    comes last, in trec_eval's order.
-#}
{% macro given_pooling_rank(pooling_order) -%}
    row_number() over (
        partition by run_key, topic_key
        order by
            case when {{ pooling_order }} = 'rank' then given_rank end asc nulls last,
            line_number asc nulls last,
            rank asc
    )
{%- endmacro %}
