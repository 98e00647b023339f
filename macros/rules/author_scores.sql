{#-
    What the score engine reads (scored_cells.sql), with the judgements of one author, or of a mixture of authors: the
    first of the named authors that judged a document gives its label. The grades of one author keep its own scale and
    threshold; the grades of a mixture are on the scale of the reference. The CTEs read the arguments `collection` and
    `author`, and `asked_collection` with the lowest relevant grade that the measure asks for, or null.
-#}
{% macro judged_by_author() -%}
-- one row per named author
asked_authors as (

    select
        asked_names.name,
        asked_names.place,
        len(string_split(author, '{{ between_authors() }}')) > 1 as is_mixture
    from (
        select
            unnest(string_split(author, '{{ between_authors() }}')) as name,
            generate_subscripts(string_split(author, '{{ between_authors() }}'), 1) as place
    ) as asked_names

),

-- the labels of each, on the scale that counts
asked_labels as (

    select
        labels.collection_key,
        labels.topic_key,
        labels.doc_key,
        labels.is_judged,
        labels.is_relevant,
        asked_authors.place,
        case when asked_authors.is_mixture then labels.reference_grade else labels.grade end as grade
    from asked_collection
    inner join {{ ref('int_labels') }} as labels on asked_collection.collection_key = labels.collection_key
    inner join {{ ref('int_authors') }} as authors
        on
            labels.collection_key = authors.collection_key
            and labels.author_key = authors.author_key
    inner join asked_authors on {{ is_author_named('authors', 'asked_authors.name') }}

),

-- one row per topic and document that one of them labelled: relevant from the requested grade on, or by the threshold of
-- the author; null where nobody judged the document
judgements as (

    select
        asked_labels.collection_key,
        asked_labels.topic_key,
        asked_labels.doc_key,
        asked_labels.grade,
        case
            when not asked_labels.is_judged then null
            when asked_collection.relevance_level is null then asked_labels.is_relevant
            else asked_labels.grade >= asked_collection.relevance_level
        end as is_relevant
    from asked_labels
    cross join asked_collection
    qualify
        row_number() over (
            partition by asked_labels.topic_key, asked_labels.doc_key
            order by asked_labels.is_judged desc, asked_labels.place asc
        ) = 1

),

-- the topics that they judged
sets as (

    select
        collection_key,
        topic_key,
        cast(count(is_relevant) as integer) as n_judged
    from judgements
    group by
        collection_key,
        topic_key

),

-- all rankings of these topics
rankings as (

    select
        rankings.run_key,
        rankings.topic_key,
        rankings.doc_key,
        rankings.rank
    from asked_collection
    inner join {{ ref('int_rankings') }} as rankings on asked_collection.collection_key = rankings.collection_key
    semi join sets on rankings.topic_key = sets.topic_key

),

run_topics as (

    select
        run_key,
        topic_key,
        count(*) as n_retrieved
    from rankings
    group by
        run_key,
        topic_key

),

judged_rankings as (

    select
        rankings.run_key,
        rankings.topic_key,
        rankings.rank,
        judgements.grade,
        judgements.is_relevant
    from rankings
    inner join judgements
        on
            rankings.topic_key = judgements.topic_key
            and rankings.doc_key = judgements.doc_key

),

-- one row per run and topic that they judged
lists as (

    select
        runs.collection_key,
        runs.run_key,
        sets.topic_key
    from {{ ref('int_runs') }} as runs
    inner join sets on runs.collection_key = sets.collection_key

)
{%- endmacro %}

{#- Whether a row of int_authors is the author of this name. -#}
{% macro is_author_named(authors, name) -%}
    ({{ authors }}.author = {{ name }} or ({{ authors }}.is_reference and {{ name }} = '{{ reference_author() }}'))
{%- endmacro %}

{#- A branch of the `case` that says which argument is wrong: an author that the collection does not have. -#}
{% macro wrong_author() -%}
    when not (
                select
                    coalesce(bool_and(
                        exists (
                            select 1
                            from {{ ref('int_authors') }} as authors
                            inner join {{ ref('int_collections') }} as named_collections
                                on authors.collection_key = named_collections.collection_key
                            where
                                named_collections.collection_id = collection
                                and {{ is_author_named('authors', 'asked_names.name') }}
                        )
                    ), true)
                from (select unnest(string_split(author, '{{ between_authors() }}')) as name) as asked_names
            )
                then error(
                    'no author of judgements of ' || collection || ' is named ' || author
                    || ' (dim_authors lists them; a mixture is written ''reference, else NAME'')'
                )
{%- endmacro %}
