{#- The name of the author of the qrels, where the load gives none. It stands for this author in every collection. -#}
{% macro reference_author() -%}
    reference
{%- endmacro %}

{#- What is between two authors of a mixture, such as `reference, else umbrela`. -#}
{% macro between_authors() -%}
    , else {# the space is part of it #}
{%- endmacro %}

{#-
    An author's grade on the scale of the reference. Grades below and above the threshold of the author keep their order,
    and are spread over the grades below and above the threshold of the reference. A grade of a scale with the same
    threshold and the same highest grade stays as it is. Both are rows of int_authors.
-#}
{% macro translated_grade(grade, author, reference) -%}
    cast(
            case
                when {{ grade }} < 0 then {{ grade }}
                when {{ grade }} < {{ author }}.relevance_threshold
                    then floor({{ grade }} * {{ reference }}.relevance_threshold / {{ author }}.relevance_threshold)
                else
                    {{ reference }}.relevance_threshold
                    + floor(
                        (least({{ grade }}, {{ author }}.highest_grade) - {{ author }}.relevance_threshold)
                        * ({{ reference }}.highest_grade - {{ reference }}.relevance_threshold + 1)
                        / ({{ author }}.highest_grade - {{ author }}.relevance_threshold + 1)
                    )
            end as integer
        )
{%- endmacro %}

{#- The family of a language model: the first letters of its name, such as `gpt` of GPT-4o and `llama` of Llama 3.2. -#}
{% macro model_family(model) -%}
    nullif(regexp_extract(lower({{ model }}), '[a-z]{2,}'), '')
{%- endmacro %}

{#-
    Whether what is known about a run names the family of the author's language model at the end of a word, or with a
    number: `GPT-4`, `rankgpt4o`. Null where the model is not declared.
-#}
{% macro says_it_uses(runs, family) -%}
    regexp_matches(
            lower(concat_ws(' ', {{ runs }}.run_id, {{ runs }}.run_type, {{ runs }}.run_description)),
            {{ family }} || '([^a-z]|$)'
        )
{%- endmacro %}

{#- The place by a score; runs with the same score share the mean of their places, so that a tie wins no place. -#}
{% macro mean_place(score, within) -%}
    rank() over (partition by {{ within }} order by {{ comparable(score) }} desc)
        + (count(*) over (partition by {{ within }}, {{ comparable(score) }}) - 1) / 2
{%- endmacro %}

{#- How the path of judgements begins that assessors added to the qrels (`poolhouse pool load`). -#}
{% macro origin_of_answers() -%}
    answers in
{%- endmacro %}
