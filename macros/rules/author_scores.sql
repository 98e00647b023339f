{#-
    What the score engine reads (scored_cells.sql), with the judgements of one author, of a mixture of authors, or of each
    author where `author` is null. In a mixture, the first of the named authors that judged a document gives its label.
    The grades of one author keep its own scale and threshold; the grades of a mixture are on the scale of the reference.
    The CTEs read the arguments `collection` and `author`, and `asked_collection` with the lowest relevant grade that the
    measure asks for, or null.

    Each author or mixture is a judge, with sets of judgements of its own (`by=['judge']`).
-#}
{% macro judged_by_author() -%}
-- one row per author whose labels are read: number of the judge, which is an author or a mixture, and place in a mixture
asked_authors as (

    select
        0 as judge,
        authors.author_key,
        asked_names.place,
        author as author_name,
        len(string_split(author, '{{ between_authors() }}')) > 1 as is_mixture
    from (
        select
            unnest(string_split(author, '{{ between_authors() }}')) as name,
            generate_subscripts(string_split(author, '{{ between_authors() }}'), 1) as place
    ) as asked_names
    cross join asked_collection
    inner join {{ ref('int_authors') }} as authors
        on
            asked_collection.collection_key = authors.collection_key
            and {{ is_author_named('authors', 'asked_names.name') }}
    union all
    select
        authors.author_key as judge,
        authors.author_key,
        1 as place,
        authors.author as author_name,
        false as is_mixture
    from asked_collection
    inner join {{ ref('int_authors') }} as authors using (collection_key)
    where author is null

),

-- one row per judge, topic and document that it labelled, by the threshold of the author or from the requested grade on;
-- the relevance is null where nobody judged the document
judgements as (

    select
        labels.collection_key,
        asked_authors.judge,
        labels.topic_key,
        labels.doc_key,
        case when asked_authors.is_mixture then labels.reference_grade else labels.grade end as grade,
        case
            when not labels.is_judged then null
            when asked_collection.relevance_level is null then labels.is_relevant
            when asked_authors.is_mixture then labels.reference_grade >= asked_collection.relevance_level
            else labels.grade >= asked_collection.relevance_level
        end as is_relevant
    from asked_collection
    inner join {{ ref('int_labels') }} as labels using (collection_key)
    inner join asked_authors using (author_key)
    qualify
        not asked_authors.is_mixture
        or row_number() over (
            partition by asked_authors.judge, labels.topic_key, labels.doc_key
            order by labels.is_judged desc, asked_authors.place asc
        ) = 1

),

-- the names of the judges
judges as (

    select distinct
        judge,
        author_name
    from asked_authors

),

{{ rankings_by_labels(['judge']) }}
{%- endmacro %}

{#-
    What the score engine reads (scored_cells.sql), from the CTE `judgements`: labels of several sources, which the keys
    `by` tell apart. A build reads the imported CTEs `rankings` and `runs`, which have the collections at hand.
-#}
{% macro rankings_by_labels(by, is_imported=false) -%}
-- the topics that each source judged
sets as (

    select
        collection_key,
        {{ by | join(',\n        ') }},
        topic_key,
        cast(count(is_relevant) as integer) as n_judged
    from judgements
    group by all

),

-- one row per run, topic that a source judged and document that the run returns
author_rankings as (

    select
        rankings.collection_key,
        rankings.run_key,
        rankings.topic_key,
        rankings.doc_key,
        rankings.rank
    from {{ 'rankings' if is_imported else ref('int_rankings') ~ ' as rankings' }}
    semi join sets using (collection_key, topic_key)

),

run_topics as (

    select
        run_key,
        topic_key,
        count(*) as n_retrieved
    from author_rankings
    group by
        run_key,
        topic_key

),

judged_rankings as (

    select
        {{ keys_of_set('judgements', by) }}
        author_rankings.run_key,
        author_rankings.topic_key,
        author_rankings.rank,
        judgements.grade,
        judgements.is_relevant
    from author_rankings
    inner join judgements using (collection_key, topic_key, doc_key)

),

-- one row per run and topic that a source judged
lists as (

    select
        runs.collection_key,
        runs.run_key,
        {{ keys_of_set('sets', by) }}
        sets.topic_key
    from {{ 'runs' if is_imported else ref('int_runs') ~ ' as runs' }}
    inner join sets using (collection_key)

)
{%- endmacro %}

{#- What tells apart the labels of int_label_comparisons: the comparison, and which side of it. -#}
{% macro comparison_keys() -%}
    {{ return(['documents', 'compared_author_key', 'is_other']) }}
{%- endmacro %}

{#-
    The labels of both sides of the rows of `label_comparisons`, as the CTE `judgements`. `is_relevant` and
    `is_relevant_by_other` are conditions on such a row.
-#}
{% macro labels_of_both_sides(is_relevant, is_relevant_by_other) -%}
-- one row per comparison, side, topic and document
judgements as (

    {% for is_other, grade, relevance in [
        ('false', 'grade', is_relevant), ('true', 'other_grade', is_relevant_by_other)
    ] -%}
    select
        collection_key,
        documents,
        compared_author_key,
        {{ is_other }} as is_other,
        topic_key,
        doc_key,
        {{ grade }} as grade,
        {{ relevance }} as is_relevant
    from label_comparisons
    where {{ grade }} is not null
    {{- '\n    union all\n    ' if not loop.last }}
    {%- endfor %}

)
{%- endmacro %}

{#- The scores by both sides of a comparison, as the CTE `both_scores`; a geometric mean is one of logarithms. -#}
{% macro scores_of_both_sides(scores) -%}
-- one row per comparison, run and topic that both sides judged
both_scores as (

    select
        scores.collection_key,
        scores.documents,
        scores.compared_author_key,
        scores.run_key,
        scores.topic_key,
        measures.aggregation,
        {% for column, condition in [('score', ''), ('true_score', 'not ')] -%}
        max(case measures.aggregation when 'geometric_mean' then ln(scores.score) else scores.score end)
            filter (where {{ condition }}scores.is_other) as {{ column }}{{ ',' if not loop.last }}
        {% endfor -%}
    from {{ scores }} as scores
    inner join measures on scores.measure = measures.name
    where scores.score is not null
    group by all

)
{%- endmacro %}

{#- Whether a row of int_authors is the author of this name. -#}
{% macro is_author_named(authors, name) -%}
    ({{ authors }}.author = {{ name }} or ({{ authors }}.is_reference and {{ name }} = '{{ reference_author() }}'))
{%- endmacro %}

{#- A branch of the `case` that says which argument is wrong: an author that the collection does not have. -#}
{% macro wrong_author() -%}
    when author is not null and (
                select count(*)
                from (select unnest(string_split(author, '{{ between_authors() }}')) as name) as asked_names
                anti join (
                    select authors.*
                    from {{ ref('int_authors') }} as authors
                    inner join {{ ref('int_collections') }} as named_collections using (collection_key)
                    where named_collections.collection_id = collection
                ) as authors
                    on {{ is_author_named('authors', 'asked_names.name') }}
            ) > 0
                then error(
                    'no author of judgements of ' || collection || ' is named ''' || author
                    || ''' (dim_authors lists them; a mixture is written ''reference, else NAME'')'
                )
{%- endmacro %}
