{{ config(arguments=['collection', 'asked']) }}
-- How much a measure loses where an organization leaves the pool of all pooled runs: with this the distance of other runs
-- from the pool is compared.

with

{{ imports(
    'int_pool_runs where pool_key = 0', 'int_run_topics', 'int_judged_topics',
    relevance='int_expected_relevance where pool_key = 0 and is_judged_if_pooled',
    asked_collection='int_collections where collection_id = collection'
) }},

{{ whole_weights() }},

-- one row per pooled run and judged topic that it answers
lists as (

    select
        pool_runs.collection_key,
        pool_runs.organization_key,
        pool_runs.run_key,
        run_topics.topic_key
    from asked_collection
    inner join pool_runs using (collection_key)
    inner join run_topics using (collection_key, run_key)
    inner join judged_topics using (collection_key, topic_key)

),

-- the same rows with the weight of the documents that lose their judgement with the organization
weights as (

    select
        lists.organization_key,
        lists.run_key,
        lists.topic_key,
        coalesce(
            sum({{ weight_in_interval('asked', 'relevance.rank') }}) filter (where relevance.rank is not null), 0
        ) as unjudged_weight
    from lists
    left join relevance
        on
            lists.collection_key = relevance.collection_key
            and lists.run_key = relevance.run_key
            and lists.topic_key = relevance.topic_key
            and relevance.rank <= {{ deepest_cutoff() }}
            and relevance.rank <= {{ asked_cutoff('asked') }}
    group by all

),

-- one row per pooled run: the share of the weight of all documents
runs as (

    select
        weights.organization_key,
        weights.run_key,
        avg(weights.unjudged_weight) / any_value(whole_weights.weight) as unjudged_share
    from weights
    cross join whole_weights
    group by all

),

-- one row per organization: the mean share of its runs that lose a document, null without such a run
organizations as (

    select
        organization_key,
        avg(unjudged_share) filter (where unjudged_share > 0) as unjudged_share
    from runs
    group by organization_key

)

select * from organizations
