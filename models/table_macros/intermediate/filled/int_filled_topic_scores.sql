{{ config(arguments=['collection', 'asked', 'asked_author']) }}
{%- set wrong -%}
    when
        asked_author is not null
        and not exists (
            select 1
            from authors
            inner join collections as named_collections using (collection_key)
            where
                named_collections.collection_id = collection
                and authors.is_compared
                and authors.author = asked_author
        )
        then error(
            'no author that is compared with the reference of ' || collection || ' is named ' || asked_author
            || ' (dim_authors lists them)'
        )
{%- endset -%}
-- The scores of the pooled runs by a measure, where the judgements that their organizations alone contributed are
-- replaced by the labels of an author, or of each author where `asked_author` is null. A set of judgements is an author
-- and an organization that has left.

with

{{ imports(
    'int_collections', 'int_authors', 'int_pooled_runs', 'int_judged_topics', 'int_run_topics'
) }},

{{ asked_collection(['collection', 'asked'], wrong) }},

-- one row per author whose labels are asked for
asked_authors as (

    select
        authors.collection_key,
        authors.author_key,
        authors.author
    from asked_collection
    inner join authors using (collection_key)
    where
        authors.is_compared
        and coalesce(authors.author = asked_author, true)

),

-- one row per author and pooled run
label_runs as (

    select
        asked_authors.collection_key,
        asked_authors.author_key,
        asked_authors.author,
        pooled_runs.organization_key,
        pooled_runs.run_key
    from asked_authors
    inner join pooled_runs using (collection_key)

),

-- one row per author and organization that leaves
label_sets as (

    select distinct
        collection_key,
        author_key,
        organization_key
    from label_runs

),

qrels as (

    select
        judgements.topic_key,
        judgements.doc_key,
        judgements.grade,
        judgements.is_judged,
        judgements.sole_organization_key
    from asked_collection
    inner join {{ ref('int_contributed_judgements') }} as judgements using (collection_key)

),

-- the documents that one organization alone contributed, with their labels on the scale of the reference. A document
-- that people did not judge stays unjudged.
labels as (

    select
        author_judgements.author_key,
        author_judgements.topic_key,
        author_judgements.doc_key,
        author_judgements.reference_grade as grade,
        author_judgements.is_judged,
        qrels.sole_organization_key
    from asked_collection
    inner join {{ ref('int_author_judgements') }} as author_judgements using (collection_key)
    inner join qrels using (topic_key, doc_key)
    where
        qrels.is_judged
        and qrels.sole_organization_key is not null

),

-- one row per set and document: the judgements that stay, and the labels of those that leave
filled as (

    select
        label_sets.author_key,
        label_sets.organization_key,
        qrels.topic_key,
        qrels.doc_key,
        qrels.grade,
        qrels.is_judged
    from qrels
    cross join label_sets
    where {{ stays_judged('qrels.sole_organization_key', 'label_sets.organization_key') }}
    union all
    select
        label_sets.author_key,
        label_sets.organization_key,
        labels.topic_key,
        labels.doc_key,
        labels.grade,
        labels.is_judged
    from labels
    inner join label_sets
        on
            labels.author_key = label_sets.author_key
            and labels.sole_organization_key = label_sets.organization_key

),

-- the same rows for the score engine, relevant from the requested grade on
judgements as (

    select
        asked_collection.collection_key,
        filled.* exclude (is_judged),
        case when filled.is_judged then filled.grade >= asked_collection.relevance_level end as is_relevant
    from filled
    cross join asked_collection

),

-- one row per set and topic with a judgement
judged_counts as (

    select
        author_key,
        organization_key,
        topic_key,
        count(is_relevant) as n_judged
    from judgements
    group by all

),

-- one row per set and judged topic
sets as (

    select
        label_sets.*,
        judged_topics.topic_key,
        cast(coalesce(judged_counts.n_judged, 0) as integer) as n_judged
    from label_sets
    inner join judged_topics using (collection_key)
    left join judged_counts using (author_key, organization_key, topic_key)

),

-- the documents of the rankings of these runs, with the judgements of their set
judged_rankings as (

    select
        judgements.author_key,
        judgements.organization_key,
        judged_rankings.run_key,
        judged_rankings.topic_key,
        judged_rankings.rank,
        judgements.grade,
        judgements.is_relevant
    from asked_collection
    inner join {{ ref('int_judged_rankings') }} as judged_rankings using (collection_key)
    inner join label_runs using (run_key)
    inner join judgements using (author_key, organization_key, topic_key, doc_key)

),

-- one row per author, pooled run and judged topic
lists as (

    select
        sets.*,
        label_runs.run_key
    from label_runs
    inner join sets using (author_key, organization_key)

),

{{ asked_scores(by=['author_key', 'organization_key']) }},

-- the same rows with the names of the authors
named as (

    select
        scores.*,
        asked_authors.author
    from scores
    inner join asked_authors using (author_key)

)

select * from named
