{#-
    The judgement sets: all qrels, and the qrels without the documents that only a run, or only its organization,
    contributed to the pool. without_unique_relevant leaves out the relevant documents that only the organization
    contributed, whether the run itself was pooled or not (Buckley et al. 2006).
-#}
{% macro judgement_sets() %}
    {{ return(['full', 'without_run', 'without_organization', 'without_unique_relevant']) }}
{% endmacro %}
