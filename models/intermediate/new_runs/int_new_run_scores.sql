{{ config(materialized='table_macro', arguments=['collection', 'run_table']) }}
{%- set given = ['int_candidates', 'int_levels', 'int_contributions', 'int_run_topics', 'int_pool_measures', 'int_pool_documents'] -%}
-- The scores of a new run with all judgements of the qrels, which are a pool of their own.

with

{{ imports('int_measure_weights') }},

new_rankings as (

    select * from {{ ref('int_new_run_rankings') }}(collection, run_table)

),

-- one row: the new run
int_candidates as (

    select
        any_value(collection_key) as collection_key,
        {{ qrels_pool_key() }} as pool_key,
        0 as run_key,
        0 as organization_key
    from new_rankings

),

int_levels as (

    select 'run' as level

),

int_contributions as (

    select
        collection_key,
        run_key,
        topic_key,
        doc_key
    from new_rankings
    where false

),

int_run_topics as (

    select
        collection_key,
        run_key,
        topic_key,
        count(*) as n_retrieved
    from new_rankings
    group by
        collection_key,
        run_key,
        topic_key

),

int_pool_measures as (

    select * replace ({{ qrels_pool_key() }} as pool_key)
    from {{ ref('int_pool_measures') }}
    where pool_key = 0

),

-- the documents of the run that the qrels judge
int_pool_documents as (

    select
        collection_key,
        {{ qrels_pool_key() }} as pool_key,
        topic_key,
        doc_key,
        is_relevant,
        {{ contributed_by_nobody() }}
    from new_rankings
    where is_relevant is not null

),

{{ step(
    'int_pool_rankings', given, called='int_candidate_rankings',
    instead={'int_pool_runs': 'int_candidates', 'int_rankings': 'new_rankings'}
) }},

{{ steps([
    'int_candidate_topic_scores',
    'int_candidate_scores',
    'int_candidate_residuals',
    'int_candidate_bounds',
], given + ['int_candidate_rankings']) }},

-- one row per measure: number of documents down to its cutoff, and number of those that the qrels do not judge
top_documents as (

    select
        int_pool_measures.measure,
        cast(count(*) as integer) as n_top_documents,
        cast(count(*) filter (where new_rankings.is_relevant is null) as integer) as n_unjudged
    from new_rankings
    inner join int_pool_measures on new_rankings.rank <= int_pool_measures.cutoff
    group by int_pool_measures.measure

),

-- one row per measure: the weight of the unjudged documents down to the pool depth, over all topics; of all unjudged
-- documents where the depth is not known
unjudged_in_pool as (

    select
        measure_weights.measure,
        sum(measure_weights.weight) as weight
    from new_rankings
    inner join measure_weights on new_rankings.rank = measure_weights.rank
    where
        new_rankings.is_relevant is null
        and coalesce(new_rankings.is_above_pool_depth, true)
    group by measure_weights.measure

),

-- one row per treatment and measure
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
        bounds.lower_bound + coalesce(unjudged_in_pool.weight, 0) / scores.n_topics as upper_bound_if_pooled
    from int_candidate_scores as scores
    inner join int_candidate_bounds as bounds on scores.measure = bounds.measure
    inner join top_documents on scores.measure = top_documents.measure
    left join unjudged_in_pool on scores.measure = unjudged_in_pool.measure
    where scores.judged_by = 'pool'

)

select * from scored
