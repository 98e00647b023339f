{#-
    Ties in a ranking: the score, as trec_eval reads it, does not determine the order of documents with equal scores
    (docs/decisions/ties.md).
-#}

{#- Whether a document has the same score as the document above it, as the version reads scores. -#}
{% macro is_tied_above(version=none) -%}
    coalesce({{ score_as_read('score', version) }} = {{ score_as_read('score_above', version) }}, false)
{%- endmacro %}

{#-
    The first and the last rank of each group of tied documents, from one row per document that is tied with the one
    above it. The rank minus the row number is the same for consecutive ranks. CTEs that read `tied_documents`.
-#}
{% macro tie_groups() -%}
-- the same rows, where the rows of one group have the same number
numbered as (

    select
        collection_key,
        run_key,
        topic_key,
        rank,
        rank - row_number() over (partition by run_key, topic_key order by rank) as group_number
    from tied_documents

),

-- one row per run, topic and group of tied documents
tie_groups as (

    select
        collection_key,
        run_key,
        topic_key,
        cast(min(rank) - 1 as integer) as first_rank,
        cast(max(rank) as integer) as last_rank
    from numbered
    group by
        collection_key,
        run_key,
        topic_key,
        group_number

)
{%- endmacro %}

{#-
    Whether so many documents of a ranking share one score that their ids decide the ranking. Of the 434 runs of five
    archives, one has more than a fiftieth of such topics.
-#}
{% macro has_one_score(n_tied, n_documents) -%}
    {{ n_tied }} >= 0.9 * {{ n_documents }}
{%- endmacro %}

{#-
    The property of a tied document that raises the requested measure when the document comes first in its group:
    its `grade`, or that it is `judged`, `nonrelevant` or `unjudged`. `unknown` where no single order gives the
    extremes.
-#}
{% macro asked_ties(measure) -%}
    case
        -- other gains may order the grades in another way
        when {{ asked_parameter(measure, 'gains') }} is not null then 'unknown'
        {%- for signature in measure_signatures().values() if signature.ties %}
            when {{ asked_name(measure) }} = '{{ signature.name }}' then '{{ signature.ties }}'
        {%- endfor %}
        else 'grade'
    end
{%- endmacro %}

{#-
    The order of the documents of the qrels in their group. Documents that are not in the qrels come after them. The
    other extreme has the reverse order, so `unjudged` is `judged` reversed.
-#}
{% macro tie_key(measure, documents, relevance_level) -%}
    case {{ asked_ties(measure) }}
        when 'grade' then {{ documents }}.grade
        when 'nonrelevant'
            then cast(
                {{ documents }}.is_relevant is not null and {{ documents }}.grade < {{ relevance_level }} as integer
            )
        else cast({{ documents }}.is_relevant is not null as integer)
    end
{%- endmacro %}
