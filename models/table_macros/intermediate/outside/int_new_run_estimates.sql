{{ config(arguments=['collection', 'run_table', 'known_run']) }}
{#- What depends on the pool of all pooled runs alone. -#}
{%- set stored_pool = [
    'int_pool_runs', 'int_pool_rankings', 'int_lone_contributions', 'int_member_losses', 'int_relevance_factors',
    'int_precision_priors', 'int_left_out_weights', 'int_filling_deviations'
] -%}
-- The scores of a new run with all judgements of the qrels, which are a pool of their own, and the adjustments of
-- these scores. For the adjustments the run is the candidate of the pool of all pooled runs, to which it contributed
-- nothing. The steps are those of the runs that contributed. The organization of the run is known if it is loaded, as
-- `known_run`.

with

{{ imports('int_measure_weights') }},

-- the documents of the run that a score or an estimate depends on: those at the ranks that count, those that the
-- run would have contributed, and those that another run returned or the qrels hold
outside_rankings as (

    select * from {{ ref('int_new_run_rankings') }}(collection, run_table)
    where
        rank <= (select max(cutoff) from {{ ref('int_pool_measures') }})
        or coalesce(is_above_pool_depth, false)
        or doc_key >= 0

),

-- one row: the collection
asked_collection as (

    select any_value(collection_key) as collection_key
    from outside_rankings

),

-- one row: the organization of the run; 0, which is no organization of the pool, where it is not known
own_organization as (

    select coalesce(max(runs.organization_key), 0) as organization_key
    from asked_collection
    left join {{ ref('int_runs') }} as runs
        on
            asked_collection.collection_key = runs.collection_key
            and runs.run_id = known_run

),

{{ asked_pool(stored_pool) }},

-- the documents of the pool of all pooled runs, and those documents of the run that the qrels judge
int_pool_documents as (

    select stored.*
    from asked_collection
    inner join {{ ref('int_pool_documents') }} as stored using (collection_key)
    where stored.pool_key = 0
    union all by name
    select
        collection_key,
        {{ qrels_pool_key() }} as pool_key,
        topic_key,
        doc_key,
        is_relevant,
        {{ contributed_by_nobody() }}
    from outside_rankings
    where is_relevant is not null

),

pools as (

    select * from (values (0), ({{ qrels_pool_key() }})) as listed (pool_key)

),

-- the measures of both pools
int_pool_measures as (

    select stored.* replace (pools.pool_key as pool_key)
    from {{ ref('int_pool_measures') }} as stored
    cross join pools
    where stored.pool_key = 0

),

-- the run, in both pools
int_candidates as (

    select
        asked_collection.collection_key,
        pools.pool_key,
        0 as run_key,
        0 as organization_key,
        own_organization.organization_key as own_organization_key,
        false as is_member,
        true as is_scored
    from asked_collection
    cross join own_organization
    cross join pools

),

-- the topics of all runs, including this run
int_run_topics as (

    select
        run_topics.collection_key,
        run_topics.run_key,
        run_topics.topic_key,
        run_topics.n_retrieved
    from asked_collection
    inner join {{ ref('int_run_topics') }} as run_topics using (collection_key)
    union all
    select
        collection_key,
        run_key,
        topic_key,
        count(*) as n_retrieved
    from outside_rankings
    group by
        collection_key,
        run_key,
        topic_key

),

-- the rankings of all runs, including this run
int_rankings as not materialized (

    select
        rankings.collection_key,
        rankings.run_key,
        rankings.topic_key,
        rankings.doc_key,
        rankings.rank
    from asked_collection
    inner join {{ ref('int_rankings') }} as rankings using (collection_key)
    union all
    select
        collection_key,
        run_key,
        topic_key,
        doc_key,
        rank
    from outside_rankings

),

-- the documents that the run would have contributed, and those that pooled runs of its organization did
int_contributions as (

    select
        collection_key,
        run_key,
        0 as organization_key,
        topic_key,
        doc_key,
        rank
    from outside_rankings
    where is_above_pool_depth
    union all
    select
        contributions.collection_key,
        contributions.run_key,
        contributions.organization_key,
        contributions.topic_key,
        contributions.doc_key,
        contributions.rank
    from own_organization
    inner join {{ ref('int_contributions') }} as contributions using (organization_key)
    where contributions.organization_key <> 0

),

{{ judged_by_pools(
    'int_candidates', 'outside_rankings', 'int_pool_documents', is_own_contribution='rankings.is_above_pool_depth'
) }},

{{ steps(
    ['int_candidate_bounds', 'int_expected_intervals', 'int_adjustments'],
    given=stored_pool + [
        'int_pool_documents', 'int_pool_measures', 'int_candidates', 'int_run_topics', 'int_rankings',
        'int_contributions', 'int_candidate_rankings'
    ]
) }},

-- one row per measure: number of documents down to its cutoff, and number of those that the qrels do not judge
top_documents as (

    select
        pool_measures.measure,
        cast(count(*) as integer) as n_top_documents,
        cast(count(*) filter (where outside_rankings.is_relevant is null) as integer) as n_unjudged
    from outside_rankings
    inner join {{ ref('int_pool_measures') }} as pool_measures on outside_rankings.rank <= pool_measures.cutoff
    where pool_measures.pool_key = 0
    group by pool_measures.measure

),

-- one row per measure: the weight of the unjudged documents down to the pool depth, over all topics; of all unjudged
-- documents where the depth is not known
unjudged_in_pool as (

    select
        measure_weights.measure,
        sum(measure_weights.weight) as weight
    from outside_rankings
    inner join measure_weights using (rank)
    where
        outside_rankings.is_relevant is null
        and coalesce(outside_rankings.is_above_pool_depth, true)
    group by measure_weights.measure

),

-- one row per treatment and measure, with all judgements of the qrels
scored as (

    select
        scores.collection_key,
        scores.unjudged,
        scores.measure,
        scores.n_topics,
        top_documents.n_top_documents,
        top_documents.n_unjudged,
        scores.score as unadjusted_score,
        bounds.lower_bound,
        bounds.upper_bound,
        bounds.lower_bound + coalesce(unjudged_in_pool.weight, 0) / scores.n_topics as upper_bound_if_pooled,
        intervals.expected_gain as gain_if_judged
        {%- for name in interval_ends() %},
            intervals.{{ name }} as {{ name }}_if_judged
        {%- endfor %}
    from int_candidate_scores as scores
    inner join int_candidate_bounds as bounds using (pool_key, measure)
    inner join top_documents using (measure)
    left join unjudged_in_pool using (measure)
    left join int_expected_intervals as intervals
        on
            scores.measure = intervals.measure
            and intervals.pool_key = 0
            and intervals.target = 'if_judged'
    where
        scores.pool_key = {{ qrels_pool_key() }}
        and scores.judged_by = 'pool'

),

-- one row per treatment, measure and estimator
estimates as (

    select
        scored.*,
        int_adjustments.estimator,
        int_adjustments.adjustment
        {%- for name in interval_ends() %},
            int_adjustments.{{ name }}
        {%- endfor %}
    from scored
    inner join int_adjustments using (measure, unjudged)
    where int_adjustments.pool_key = 0

)

select * from estimates
