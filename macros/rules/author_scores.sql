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

-- the topics that each judge judged
sets as (

    select
        collection_key,
        judge,
        topic_key,
        cast(count(is_relevant) as integer) as n_judged
    from judgements
    group by all

),

-- the names of the judges
judges as (

    select distinct
        judge,
        author_name
    from asked_authors

),

-- one row per run, topic that a judge judged and document that the run returns
author_rankings as (

    select
        rankings.run_key,
        rankings.topic_key,
        rankings.doc_key,
        rankings.rank
    from asked_collection
    inner join {{ ref('int_rankings') }} as rankings using (collection_key)
    semi join sets using (topic_key)

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
        judgements.judge,
        author_rankings.run_key,
        author_rankings.topic_key,
        author_rankings.rank,
        judgements.grade,
        judgements.is_relevant
    from author_rankings
    inner join judgements using (topic_key, doc_key)

),

-- one row per run and topic that a judge judged
lists as (

    select
        runs.collection_key,
        runs.run_key,
        sets.judge,
        sets.topic_key
    from {{ ref('int_runs') }} as runs
    inner join sets using (collection_key)

)
{%- endmacro %}

{#-
    The scores by topic of the authors that are compared with the reference, or of the requested author or mixture, and of
    the reference (`is_truth`), as the CTE `topic_scores`. The arguments are `collection`, `asked` and `author`.
-#}
{% macro topic_scores_beside_reference() -%}
-- the reference, and the other authors of the collection that are not compared with it
uncompared as (

    select
        authors.author,
        authors.is_reference
    from {{ ref('int_authors') }} as authors
    inner join {{ ref('int_collections') }} as collections using (collection_key)
    where
        collections.collection_id = collection
        and not authors.is_compared

),

-- one row per author, run and topic that the author judged
topic_scores as materialized (

    select
        author_scores.author as name,
        author_scores.run_id,
        author_scores.topic_id,
        author_scores.score,
        coalesce(uncompared.is_reference, false) as is_truth
    from {{ ref('author_topic_scores') }}(collection, asked, author) as author_scores
    left join uncompared on {{ is_author_named('uncompared', 'author_scores.author') }}
    where
        uncompared.author is null
        or (uncompared.is_reference and author is null)
    union all
    select
        truth.author as name,
        truth.run_id,
        truth.topic_id,
        truth.score,
        true as is_truth
    from {{ ref('author_topic_scores') }}(collection, asked, '{{ reference_author() }}') as truth
    -- if all authors are asked for, the reference is among them, and nothing is computed twice
    where author is not null

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
