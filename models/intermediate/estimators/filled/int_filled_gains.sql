{{ config(materialized='table', meta={'rule': 'by_run'}) }}

with

{{ imports(
    'int_lost_documents', 'int_candidates', 'int_run_topics', 'int_levels', 'int_pool_measures',
    'int_measure_weights', 'int_authors', 'int_author_judgements'
) }},

-- one row per collection and author that is compared with the reference
other_authors as (

    select
        collection_key,
        author_key,
        author
    from authors
    where is_compared

),

-- one row per candidate of these collections: the topics that it answers
answers as (

    select
        candidates.collection_key,
        candidates.pool_key,
        candidates.run_key,
        candidates.organization_key,
        candidates.is_member,
        count(*) as n_topics
    from candidates
    semi join other_authors using (collection_key)
    inner join run_topics using (collection_key, run_key)
    group by all

),

-- the documents without a judgement, once per author, with the label of the author if there is one
labelled as (

    select
        lost_documents.collection_key,
        lost_documents.pool_key,
        lost_documents.run_key,
        lost_documents.level,
        other_authors.author_key,
        lost_documents.rank,
        lost_documents.is_relevant,
        coalesce(author_judgements.is_judged, false) as is_labelled,
        coalesce(author_judgements.is_relevant, false) as is_relevant_by_author
    from lost_documents
    inner join other_authors using (collection_key)
    left join author_judgements using (collection_key, author_key, topic_key, doc_key)

),

-- one row per candidate, level, author and measure with such a document: their weight, and the parts of it that the
-- author labelled, that are relevant by the author, and that are relevant
summed as (

    select
        labelled.collection_key,
        labelled.pool_key,
        labelled.run_key,
        labelled.level,
        labelled.author_key,
        measure_weights.measure,
        sum(measure_weights.weight) as unjudged_weight,
        coalesce(sum(measure_weights.weight) filter (where labelled.is_labelled), 0) as labelled_weight,
        coalesce(sum(measure_weights.weight) filter (where labelled.is_relevant_by_author), 0) as filled_weight,
        sum(measure_weights.weight * cast(labelled.is_relevant as integer)) as relevant_weight
    from labelled
    inner join measure_weights using (rank)
    group by all

),

-- one row per candidate, level, author and measure: the same figures of its score, which is a mean over topics. Outside
-- of the pool, only the candidates of which the author labelled nearly all of these documents.
gains as (

    select
        answers.collection_key,
        answers.pool_key,
        answers.run_key,
        answers.organization_key,
        levels.level,
        {{ contributor_at('levels.level', 'answers') }} as contributor_key,
        other_authors.author_key,
        other_authors.author,
        pool_measures.measure,
        coalesce(summed.unjudged_weight, 0) / answers.n_topics as unjudged_weight,
        coalesce(summed.labelled_weight, 0) / answers.n_topics as labelled_weight,
        coalesce(summed.filled_weight, 0) / answers.n_topics as filled_gain,
        summed.relevant_weight / answers.n_topics as true_gain
    from answers
    inner join other_authors using (collection_key)
    inner join levels on {{ is_level_of('answers') }}
    inner join pool_measures
        on
            answers.pool_key = pool_measures.pool_key
            and pool_measures.subset = 'all'
    left join summed
        on
            answers.collection_key = summed.collection_key
            and answers.pool_key = summed.pool_key
            and answers.run_key = summed.run_key
            and levels.level = summed.level
            and other_authors.author_key = summed.author_key
            and pool_measures.measure = summed.measure
    where
        answers.is_member
        or coalesce(summed.labelled_weight >= {{ least_labelled_share() }} * summed.unjudged_weight, true)

)

select * from gains
