with

{{ imports(
    'int_candidates', 'int_pool_runs', 'int_run_topics', 'int_pool_measures', 'int_measure_weights',
    'int_expected_relevance'
) }},

-- one row per candidate of a pool that has runs of another organization: the topics that it answers
answers as (

    select
        candidates.collection_key,
        candidates.pool_key,
        candidates.run_key,
        candidates.organization_key,
        count(*) as n_topics
    from candidates
    semi join pool_runs
        on
            candidates.collection_key = pool_runs.collection_key
            and candidates.pool_key = pool_runs.pool_key
            and candidates.organization_key <> pool_runs.organization_key
    inner join run_topics using (collection_key, run_key)
    group by all

),

-- one row per candidate and measure with an unjudged document: the weight of its unjudged documents, the part of it
-- that is expected to be relevant, the variance of this part if the documents were independent, and the part that is
-- relevant
summed as (

    select
        expected_relevance.collection_key,
        expected_relevance.pool_key,
        expected_relevance.run_key,
        measure_weights.measure,
        sum(measure_weights.weight) as unjudged_weight,
        sum(measure_weights.weight * expected_relevance.probability) as expected_weight,
        sum(
            pow(measure_weights.weight, 2) * expected_relevance.probability * (1 - expected_relevance.probability)
        ) as variance,
        sum(measure_weights.weight * cast(expected_relevance.is_relevant as integer)) as relevant_weight
    from expected_relevance
    inner join measure_weights using (rank)
    group by all

),

-- one row per candidate and measure: the same figures of its score, which is a mean over topics. Its pool judges the
-- candidates of a collection, and no run outside.
gains as (

    select
        answers.collection_key,
        answers.pool_key,
        answers.run_key,
        answers.organization_key,
        pool_measures.measure,
        coalesce(summed.unjudged_weight, 0) / answers.n_topics as unjudged_weight,
        coalesce(summed.expected_weight, 0) / answers.n_topics as expected_gain,
        coalesce(summed.variance, 0) / pow(answers.n_topics, 2) as variance,
        summed.relevant_weight / answers.n_topics as true_gain
    from answers
    inner join pool_measures
        on
            answers.pool_key = pool_measures.pool_key
            and pool_measures.subset = 'all'
    left join summed
        on
            answers.collection_key = summed.collection_key
            and answers.pool_key = summed.pool_key
            and answers.run_key = summed.run_key
            and pool_measures.measure = summed.measure

)

select * from gains
