{{ config(arguments=['collection', 'run_table', 'known_run', 'known_organization']) }}
{#- What depends on the pool of all pooled runs alone. -#}
{%- set stored_pool = [
    'int_pool_runs', 'int_pool_rankings', 'int_lone_contributions', 'int_member_losses', 'int_relevance_factors',
    'int_precision_priors', 'int_left_out_weights', 'int_filling_deviations'
] -%}
-- The scores of a new run with all judgements of the qrels, which are a pool of their own, and the adjustments of
-- these scores. For the adjustments the run is the candidate of the pool of all pooled runs, to which it contributed
-- nothing. The steps are those of the runs that contributed.

with

{{ imports('int_measure_weights') }},

{{ new_run_as_candidate(stored_pool) }},

{{ steps(
    ['int_candidate_bounds', 'int_expected_intervals', 'int_adjustments'],
    given=stored_pool + given_of_a_new_run()
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
