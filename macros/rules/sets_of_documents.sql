{#-
    Sets of documents as bits, which compare a thousand documents at a time. A join of the rankings of TREC-8 takes
    four times as long. The documents of a topic are numbered from 0 and divided into pieces.
-#}
{% macro documents_per_set() -%}
    4096
{%- endmacro %}

{#- The piece that contains the document with this number. -#}
{% macro piece_of_set(number) -%}
    ({{ number }} // {{ documents_per_set() }})
{%- endmacro %}

{#- An aggregate that turns the numbers of one piece into a set. -#}
{% macro set_of_documents(number) -%}
    {{ return(adapter.dispatch('set_of_documents', 'poolhouse')(number)) }}
{%- endmacro %}

{% macro duckdb__set_of_documents(number) -%}
    bitstring_agg(cast({{ number }} % {{ documents_per_set() }} as integer), 0, {{ documents_per_set() | int - 1 }})
{%- endmacro %}

{#- How many documents two sets share. -#}
{% macro n_shared_documents(one, other) -%}
    {{ return(adapter.dispatch('n_shared_documents', 'poolhouse')(one, other)) }}
{%- endmacro %}

{% macro duckdb__n_shared_documents(one, other) -%}
    bit_count({{ one }} & {{ other }})
{%- endmacro %}

{#-
    Number of documents in both over number of documents in either (Jaccard), from their counts; null where neither
    has any.
-#}
{% macro overlap_of(n_documents, n_other_documents, n_shared) -%}
    cast({{ n_shared }} / nullif({{ n_documents }} + {{ n_other_documents }} - {{ n_shared }}, 0) as double)
{%- endmacro %}
