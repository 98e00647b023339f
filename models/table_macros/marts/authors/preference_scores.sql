{{ config(arguments=['collection']) }}
-- `quantiles` is read by the macro normal_quantiles:

with

{{ imports(
    'stg_preferences', 'int_collections', 'quantiles', 'fct_judgements where is_judged',
    documents='raw.preference_scores'
) }},

{{ normal_quantiles() }},

{{ asked_collection(['collection'], relevance_level='cast(null as integer)', must_be_judged=false) }},

-- the strict preferences between judged documents, once for each document: whether the better one has the higher grade
graded as (

    select
        preferences.author,
        preferences.topic_id,
        unnest([preferences.doc_id, preferences.other_doc_id]) as doc_id,
        sign(judgements.relevance - other.relevance) as difference
    from asked_collection
    inner join preferences using (collection_key)
    inner join judgements
        on
            judgements.collection_id = collection
            and preferences.topic_id = judgements.topic_id
            and preferences.doc_id = judgements.doc_id
    inner join judgements as other
        on
            other.collection_id = collection
            and preferences.topic_id = other.topic_id
            and preferences.other_doc_id = other.doc_id
    where not preferences.is_equal

),

-- one row per author, topic and document
counted as (

    select
        author,
        topic_id as query,
        doc_id as docno,
        count(*) as n_graded,
        count_if(difference > 0) as n_confirmed,
        count_if(difference < 0) as n_contradicted
    from graded
    group by all

),

-- the documents, and one row per author and topic, and per author. There, two documents share a comparison, and three a cycle.
named as (

    select
        collection as collection_id,
        author,
        query as topic_id,
        docno as doc_id,
        1 + grouping(docno) as n_sharing,
        cast(sum(n_won) as integer) as n_won,
        cast(sum(n_lost) as integer) as n_lost,
        cast(sum(n_equal) / n_sharing as integer) as n_equal,
        case n_sharing when 1 then any_value(score) end as score,
        case n_sharing when 1 then any_value(score - quantile_95 * standard_error) end as ci_95_low,
        case n_sharing when 1 then any_value(score + quantile_95 * standard_error) end as ci_95_high,
        cast(coalesce(sum(n_graded), 0) / n_sharing as integer) as n_graded,
        sum(n_confirmed) / sum(n_graded) as share_confirmed,
        sum(n_contradicted) / sum(n_graded) as share_contradicted,
        1 - share_confirmed - share_contradicted as share_tied,
        sum(n_conflicting) / nullif(sum(n_repeated), 0) as share_conflicting,
        cast(sum(n_threes) / (2 * n_sharing - 1) as integer) as n_threes,
        sum(n_cyclic) / nullif(sum(n_threes), 0) as share_cyclic
    from asked_collection
    inner join documents using (collection_key)
    left join counted using (author, query, docno)
    cross join normal_quantiles
    group by grouping sets ((author, query, docno), (author, query), (author))

)

select * exclude (n_sharing) from named
