{#-
    Ties in a ranking: documents of equal score, as a 32-bit float, stand in an order that their score does
    not say (docs/decisions/ties.md).
-#}

{#- Whether a document has the score of the one above it; reads what `trec_eval_rank` reads. -#}
{% macro is_tied_above() -%}
    coalesce(
        score = lag(score) over (partition by run_key, topic_key order by score desc, doc_id desc), false
    )
{%- endmacro %}

{#-
    From one row per document that is tied with the one above it: the first and the last rank of each group of
    tied documents. Consecutive ranks, counted, lie on one line. CTEs; they read `tied_documents`.
-#}
{% macro tie_groups() -%}
-- the same rows, those of one group with one number
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
    What in a tied document raises the asked measure when the document stands first in its group: its `grade`;
    that it is `judged`, `nonrelevant` or `unjudged`; `unknown` where no single order gives the extremes.
-#}
{% macro asked_ties(measure) -%}
    case {{ asked_name(measure) }}
        {%- for signature in measure_signatures().values() if signature.ties %}
            when '{{ signature.name }}' then '{{ signature.ties }}'
        {%- endfor %}
        else 'grade'
    end
{%- endmacro %}

{#-
    By what the documents of the qrels stand first in their group. Those that the qrels do not hold come after
    them, and the other way round the order is reversed: so `unjudged` is `judged` reversed.
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
