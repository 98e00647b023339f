{{ config(arguments=['collection', 'asked', 'asked_author']) }}
{%- set wrong -%}
    when
        asked_author is not null
        and not exists (
            select 1
            from authors
            inner join collections as named_collections
                on authors.collection_key = named_collections.collection_key
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
-- replaced by the labels of an author, or of each author where `asked_author` is null. The score engine scores each set
-- of judgements as a collection of its own: a set is an author and an organization that has left.

with

{{ imports(
    'int_collections', 'int_authors', 'int_pooled_runs', 'int_judged_topics', all_run_topics='int_run_topics'
) }},

{{ asked_collection(['collection', 'asked'], wrong) }},

-- one row per author whose labels are asked for
asked_authors as (

    select
        authors.collection_key,
        authors.author_key,
        authors.author
    from asked_collection
    inner join authors on asked_collection.collection_key = authors.collection_key
    where
        authors.is_compared
        and coalesce(authors.author = asked_author, true)

),

-- one row per author and organization that leaves
label_sets as (

    select
        collection_key,
        author_key,
        author,
        organization_key,
        cast(row_number() over (order by author_key, organization_key) as integer) as set_key
    from (
        select distinct
            asked_authors.collection_key,
            asked_authors.author_key,
            asked_authors.author,
            pooled_runs.organization_key
        from asked_authors
        inner join pooled_runs on asked_authors.collection_key = pooled_runs.collection_key
    ) as distinct_sets

),

-- one row per author and pooled run
label_runs as (

    select
        label_sets.set_key,
        label_sets.author_key,
        label_sets.author,
        label_sets.organization_key,
        pooled_runs.run_key as pooled_run_key,
        cast(row_number() over (order by label_sets.set_key, pooled_runs.run_key) as integer) as run_key
    from label_sets
    inner join pooled_runs
        on
            label_sets.collection_key = pooled_runs.collection_key
            and label_sets.organization_key = pooled_runs.organization_key

),

qrels as (

    select
        judgements.topic_key,
        judgements.doc_key,
        judgements.grade,
        judgements.is_judged,
        judgements.sole_organization_key
    from asked_collection
    inner join {{ ref('int_contributed_judgements') }} as judgements
        on asked_collection.collection_key = judgements.collection_key

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
    inner join {{ ref('int_author_judgements') }} as author_judgements
        on asked_collection.collection_key = author_judgements.collection_key
    inner join qrels
        on
            author_judgements.topic_key = qrels.topic_key
            and author_judgements.doc_key = qrels.doc_key
    where
        qrels.is_judged
        and qrels.sole_organization_key is not null

),

-- one row per set and document: the judgements that stay, and the labels of those that leave
filled as (

    select
        label_sets.set_key,
        qrels.topic_key,
        qrels.doc_key,
        qrels.grade,
        qrels.is_judged
    from qrels
    cross join label_sets
    where {{ stays_judged('qrels.sole_organization_key', 'label_sets.organization_key') }}
    union all
    select
        label_sets.set_key,
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
        filled.set_key as collection_key,
        filled.topic_key,
        filled.doc_key,
        filled.grade,
        case when filled.is_judged then filled.grade >= asked_collection.relevance_level end as is_relevant
    from filled
    cross join asked_collection

),

-- one row per set and topic with a judgement
judged_counts as (

    select
        collection_key as set_key,
        topic_key,
        count(is_relevant) as n_judged
    from judgements
    group by all

),

-- one row per set and judged topic
sets as (

    select
        label_sets.set_key as collection_key,
        judged_topics.topic_key,
        cast(coalesce(judged_counts.n_judged, 0) as integer) as n_judged
    from label_sets
    inner join judged_topics on label_sets.collection_key = judged_topics.collection_key
    left join judged_counts
        on
            label_sets.set_key = judged_counts.set_key
            and judged_topics.topic_key = judged_counts.topic_key

),

run_topics as (

    select
        label_runs.run_key,
        all_run_topics.topic_key,
        all_run_topics.n_retrieved
    from label_runs
    inner join all_run_topics on label_runs.pooled_run_key = all_run_topics.run_key

),

-- the documents of the rankings of these runs, with the judgements of their set
judged_rankings as (

    select
        label_runs.run_key,
        judged_rankings.topic_key,
        judged_rankings.rank,
        judgements.grade,
        judgements.is_relevant
    from asked_collection
    inner join {{ ref('int_judged_rankings') }} as judged_rankings
        on asked_collection.collection_key = judged_rankings.collection_key
    inner join label_runs on judged_rankings.run_key = label_runs.pooled_run_key
    inner join judgements
        on
            label_runs.set_key = judgements.collection_key
            and judged_rankings.topic_key = judgements.topic_key
            and judged_rankings.doc_key = judgements.doc_key

),

treatments as (

    select 'nonrelevant' as unjudged

),

-- one row per author, pooled run and judged topic
lists as (

    select
        sets.collection_key,
        label_runs.run_key,
        sets.topic_key
    from label_runs
    inner join sets on label_runs.set_key = sets.collection_key

),

{{ asked_scores() }},

-- the same rows with the keys of the collection
keyed as (

    select
        label_sets.collection_key,
        label_runs.author_key,
        label_runs.author,
        label_runs.pooled_run_key as run_key,
        label_runs.organization_key,
        scores.topic_key,
        scores.score,
        scores.is_answered
    from scores
    inner join label_sets on scores.collection_key = label_sets.set_key
    inner join label_runs on scores.run_key = label_runs.run_key

)

select * from keyed
