{#-
    The rank of a document in its run and topic, from 1, as in trec_eval: score descending, then document id
    descending. The rank in the file and the order of the file do not count. `doc_id` is the id, or a number in the
    order of the ids, by which the engine sorts in half the time. The version decides how the score is read.
-#}
{% macro trec_eval_rank(doc_id='doc_id', version=none) -%}
    row_number() over (
        partition by run_key, topic_key
        order by {{ score_as_read('score', version) }} desc, {{ doc_id }} desc
    )
{%- endmacro %}

{#- The score of the document one rank above; null where there is none. -#}
{% macro score_above(doc_id='doc_id') -%}
    lag(score) over (
        partition by run_key, topic_key
        order by {{ score_as_read('score') }} desc, {{ doc_id }} desc
    )
{%- endmacro %}
