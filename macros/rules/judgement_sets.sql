{#-
    The judgement sets: all qrels, and what is left of them without what a run, or its organization, alone
    contributed to the pool; without_unique_relevant leaves out the relevant ones among the latter, whether the
    run itself was pooled or not (Buckley et al. 2006).
-#}
{% macro judgement_sets() %}
    {{ return(['full', 'without_run', 'without_organization', 'without_unique_relevant']) }}
{% endmacro %}
