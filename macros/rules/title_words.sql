{#- The sets of documents of a topic over which titlestat is computed (docs/title_words.md). -#}
{% macro document_sets() -%}
    (values ('relevant'), ('unique_relevant'), ('pooled'))
{%- endmacro %}

{#-
    Whether a judged document is in the set. `documents` has the facts about the document; facts about the pool are
    null where the pool does not contain it.
-#}
{% macro is_in_document_set(document_set, documents) -%}
    case {{ document_set }}
        when 'relevant' then {{ documents }}.is_relevant
        when 'unique_relevant' then {{ documents }}.is_relevant and {{ documents }}.sole_organization_key is not null
        when 'pooled' then {{ documents }}.is_pooled
    end
{%- endmacro %}

{#-
    titlestat of a word: (n_with_word / n_documents) / min(1, document_frequency / n_documents), as one quotient of
    whole numbers. Null where the frequency is unknown, or below the number of documents that were found.
-#}
{% macro titlestat(n_with_word, n_documents, document_frequency) -%}
    case
        when {{ document_frequency }} >= {{ n_with_word }}
            then {{ n_with_word }} / least({{ n_documents }}, {{ document_frequency }})
    end
{%- endmacro %}

{#- The message of a comparison where titlestat has no data about a collection. -#}
{% macro no_titlestat(collection) -%}
    error('no title words are built for collection ' || coalesce({{ collection }}, 'null')
        || ': poolhouse load --texts or --title-words, then poolhouse build')
{%- endmacro %}
