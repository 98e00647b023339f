{#-
    The rank of a document in its run and topic, from 1, as in trec_eval: score descending, then document id
    descending. The rank in the file and the order of the file do not count. `doc_id` is the id, or a number in the
    order of the ids, by which the engine sorts in half the time.
-#}
{% macro trec_eval_rank(doc_id='doc_id', score='score') -%}
    row_number() over (partition by run_key, topic_key order by {{ score }} desc, {{ doc_id }} desc)
{%- endmacro %}
