{#- Which documents of a topic titlestat is computed over (docs/title_words.md). -#}
{% macro document_sets() -%}
    (values ('relevant'), ('unique_relevant'), ('pooled'))
{%- endmacro %}

{#- Whether a judged document is in the set; `documents` has what is known of it, of the pool null where it has none. -#}
{% macro is_in_document_set(document_set, documents) -%}
    case {{ document_set }}
        when 'relevant' then {{ documents }}.is_relevant
        when 'unique_relevant' then {{ documents }}.is_relevant and {{ documents }}.sole_organization_key is not null
        when 'pooled' then {{ documents }}.is_pooled
    end
{%- endmacro %}

{#-
    titlestat of a word: (n_with_word / n_documents) / min(1, document_frequency / n_documents), as one
    quotient of whole numbers; null where the frequency is unknown, or less than what was found.
-#}
{% macro titlestat(n_with_word, n_documents, document_frequency) -%}
    case
        when {{ document_frequency }} >= {{ n_with_word }}
            then {{ n_with_word }} / least({{ n_documents }}, {{ document_frequency }})
    end
{%- endmacro %}

{#- What a comparison answers where titlestat knows nothing of a collection. -#}
{% macro no_titlestat(collection) -%}
    error('no title words are built of collection ' || coalesce({{ collection }}, 'null')
        || ': poolhouse load --texts or --title-words, then poolhouse build')
{%- endmacro %}
