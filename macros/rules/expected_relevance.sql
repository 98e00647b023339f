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

{#-
    How many times more weight of a run is unjudged than of the runs on which deviations are measured, at least once. The
    variance of a gain grows with it: a run far from the pool deviates as a whole.
-#}
{% macro distance_from_pool(unjudged_weight, mean_unjudged_weight) -%}
    greatest({{ unjudged_weight }} / nullif({{ mean_unjudged_weight }}, 0), 1)
{%- endmacro %}

{#- The estimator is advised in pools of at least this number of organizations. -#}
{% macro fewest_organizations() -%}
    5
{%- endmacro %}

{#- It is advised for runs of which at most this share of the weight is unjudged. -#}
{% macro largest_unjudged_share() -%}
    0.6
{%- endmacro %}

{#-
    The notations of the measures with an expected score, as a regular expression: those that a probability of relevance
    is enough for.
-#}
{% macro pattern_of_expected_measures() -%}
    (P|R)@[0-9]+|(AP|nDCG)(@[0-9]+)?|Bpref|RBP([(]p=[0-9.]+[)])?(@[0-9]+)?|ERR([(]max_rel=[0-9]+[)])?(@[0-9]+)?
{%- endmacro %}
