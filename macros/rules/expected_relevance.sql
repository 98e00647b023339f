{#-
    The constants of the estimator `expected_relevance` (docs/expected_relevance.md, which has the errors with other
    values).
-#}

{#- The share of relevant documents, where a prior share counts as much as this number of documents. -#}
{% macro share_with_prior(n_relevant, n_documents, prior) -%}
    ({{ n_relevant }} + {{ documents_of_the_prior() }} * {{ prior }}) / ({{ n_documents }} + {{ documents_of_the_prior() }})
{%- endmacro %}

{% macro documents_of_the_prior() -%}
    10
{%- endmacro %}

{#- How much an organization supports a document by returning it: from the best rank at which any of its runs does. -#}
{% macro support_at(rank) -%}
    1.0 / ({{ rank }} + 5)
{%- endmacro %}

{#- Classes of support with equally many documents, each of which has a factor of its own. -#}
{% macro n_support_classes() -%}
    5
{%- endmacro %}

{#- The class of a document: the number of limits between classes that its support reaches, from 0. -#}
{% macro support_class(limits, support) -%}
    len(list_filter({{ limits }}, lambda support_limit : support_limit <= {{ comparable(support) }}))
{%- endmacro %}
