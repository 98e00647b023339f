{#-
    The rank of a document in its run and topic, from 1, as in trec_eval: score descending, then document id
    descending. The rank in the file and the order of the file do not count.
-#}
{% macro trec_eval_rank() -%}
    row_number() over (partition by run_key, topic_key order by score desc, doc_id desc)
{%- endmacro %}
