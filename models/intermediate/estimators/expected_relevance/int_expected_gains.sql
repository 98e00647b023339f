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
            and candidates.own_organization_key <> pool_runs.organization_key
    inner join run_topics using (collection_key, run_key)
    group by all

),

{{ targets() }},

-- one row per candidate, target and measure with an unjudged document: the weight of its unjudged documents, the part
-- of it that is expected to be relevant, the share of this part from documents that no other list holds, its variance if
-- the documents were independent, and the part that is relevant
summed as (

    select
        expected_relevance.collection_key,
        expected_relevance.pool_key,
        expected_relevance.run_key,
        targets.target,
        measure_weights.measure,
        sum(measure_weights.weight) as unjudged_weight,
        sum(measure_weights.weight * expected_relevance.probability) as expected_weight,
        {{ unsupported_share(
            'measure_weights.weight * expected_relevance.probability', 'expected_relevance.support'
        ) }} as unsupported_share,
        sum(
            pow(measure_weights.weight, 2) * expected_relevance.probability * (1 - expected_relevance.probability)
        ) + {{ documents_in_doubt() }} * avg(pow(measure_weights.weight, 2)) as variance,
        sum(measure_weights.weight * cast(expected_relevance.is_relevant as integer)) as relevant_weight
    from expected_relevance
    inner join measure_weights using (rank)
    inner join targets on {{ is_unjudged_for('targets.target', 'expected_relevance') }}
    group by all

),

-- one row per candidate, target and measure: the same figures of its score, which is a mean over topics. Full judgements
-- are estimated with the pool of all pooled runs alone.
gains as (

    select
        answers.collection_key,
        answers.pool_key,
        answers.run_key,
        answers.organization_key,
        targets.target,
        pool_measures.measure,
        answers.n_topics,
        coalesce(summed.unjudged_weight, 0) / answers.n_topics as unjudged_weight,
        coalesce(summed.expected_weight, 0) / answers.n_topics as expected_gain,
        summed.unsupported_share,
        coalesce(summed.variance, 0) / pow(answers.n_topics, 2) as variance,
        summed.relevant_weight / answers.n_topics as true_gain
    from answers
    inner join pool_measures
        on
            answers.pool_key = pool_measures.pool_key
            and pool_measures.subset = 'all'
    inner join targets on answers.pool_key = 0 or targets.target = 'if_pooled'
    left join summed
        on
            answers.collection_key = summed.collection_key
            and answers.pool_key = summed.pool_key
            and answers.run_key = summed.run_key
            and targets.target = summed.target
            and pool_measures.measure = summed.measure

)

select * from gains
