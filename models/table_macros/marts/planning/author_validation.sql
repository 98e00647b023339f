{{ config(arguments=['collection', 'author', "asked := 'P@10'"]) }}

with

{{ imports(
    'stg_pool_lists', 'stg_pool_documents', 'int_rankings', 'int_runs', 'int_topics', 'int_documents',
    labels='fct_author_judgements'
) }},

{{ collection_of_plan() }},

-- one row per topic and document that a run returns: what the document adds to the score of each run if it is relevant
returned as (

    select
        topics.topic_id,
        documents.doc_id,
        list({
            'run_id': runs.run_id,
            'weight': case
                when {{ is_additive('asked') }} then {{ weight_in_interval('asked', 'rankings.rank') }}
                else error(asked || ' is no sum over documents, as P@k and RBP are')
            end
        }) filter (where rankings.rank <= {{ asked_cutoff('asked') }}) as weights
    from asked_collection
    inner join rankings using (collection_key)
    inner join runs using (collection_key, run_key)
    inner join topics using (collection_key, topic_key)
    inner join documents using (collection_key, doc_key)
    group by all

),

-- one row per topic and document that the lists of the author were drawn from
recorded as (

    select
        pool_documents.topic_id,
        pool_documents.doc_id,
        bool_or(pool_documents.is_listed) as is_listed
    from asked_collection
    inner join pool_lists using (collection_key)
    inner join pool_documents using (collection_key, list_number)
    where pool_lists.strategy = '{{ validation_of() }}' || author
    group by all

),

-- one row per topic and document that the author labelled, and that a run returns or people judged
labelled as (

    select
        collection as collection_id,
        author as author,
        asked as measure,
        labels.topic_id,
        labels.doc_id,
        labels.grade,
        labels.is_relevant,
        recorded.is_listed is not null as is_recorded,
        case when coalesce(recorded.is_listed, true) then labels.is_relevant_by_reference end as answer,
        coalesce(returned.weights, []) as weights
    from labels
    left join recorded using (topic_id, doc_id)
    left join returned using (topic_id, doc_id)
    where
        labels.collection_id = collection
        and labels.author = author
        and labels.is_judged
        and (returned.topic_id is not null or labels.is_relevant_by_reference is not null)

)

select * from labelled
