{%- set counts = ['n_pairs', 'n_relevant', 'n_relevant_by_other', 'n_relevant_by_both'] -%}
with

{{ imports('int_label_comparisons') }},

-- one row per comparison, topic and pair of authors: what kappa is computed from. The first and the last person beside the
-- reference are one comparison.
topics as (

    select
        collection_key,
        case when documents in ('first person', 'last person') then 'persons and reference' else documents end
            as documents,
        compared_author_key,
        topic_key,
        author_key,
        other_author_key,
        count(*) as n_pairs,
        sum(relevance) as n_relevant,
        sum(other_relevance) as n_relevant_by_other,
        sum(relevance * other_relevance) as n_relevant_by_both
    from label_comparisons
    group by all

),

-- the same rows for the topic and, where persons are compared, for the persons that may be left out
parts as (

    select
        *,
        unnest(
            case documents
                when 'persons' then ['topic ' || topic_key, 'persons ' || author_key || ' ' || other_author_key]
                when 'persons and reference' then ['topic ' || topic_key, 'persons ' || other_author_key]
                else ['topic ' || topic_key]
            end
        ) as left_out
    from topics

),

-- one row per comparison
totals as (

    select
        collection_key,
        documents,
        {% for count in counts %}
            sum({{ count }}) as {{ count }},
        {% endfor %}
        compared_author_key
    from topics
    group by all

),

-- one row per comparison and part that is left out, and one per comparison with all labels
without_parts as (

    select
        *,
        cast(null as varchar) as left_out
    from totals
    union all by name
    select
        totals.collection_key,
        totals.documents,
        totals.compared_author_key,
        {% for count in counts %}
            any_value(totals.{{ count }}) - sum(parts.{{ count }}) as {{ count }},
        {% endfor %}
        parts.left_out
    from totals
    inner join parts using (collection_key, documents, compared_author_key)
    group by all

),

with_kappa as (

    select
        *,
        {{ kappa_of_counts() }} as kappa
    from without_parts

)

select * from with_kappa
