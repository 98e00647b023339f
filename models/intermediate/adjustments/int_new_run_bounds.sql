{{ config(materialized='table_macro', arguments=['collection', 'run_table']) }}

with

rankings as (

    select * from {{ ref('int_new_run_rankings') }}(collection, run_table)

),

scores as (

    select * from {{ ref('int_new_run_scores') }}(collection, run_table)
    where judged_by = 'qrels'

),

experiments as (

    select * from {{ ref('int_experiments') }}
    where pool_key = 0

),

-- one row per measure: the measure of what is unjudged
residuals (measure, residual) as (

    values
    {% for measure in bias_measures() %}
        ('{{ measure.id }}', '{{ measure.residual }}'){{ ',' if not loop.last }}
    {% endfor %}

),

-- one row per measure: documents down to its cutoff, and those that the qrels do not judge
top_documents as (

    select
        experiments.measure,
        cast(count(*) as integer) as n_top_documents,
        cast(count(*) filter (where rankings.is_relevant is null) as integer) as n_unjudged
    from rankings
    inner join experiments on rankings.rank <= experiments.cutoff
    group by experiments.measure

),

-- one row per measure: what the run has without any estimate, and what it can have at most; the sum of
-- two means may be a little more than 1
bounded as (

    select
        scores.collection_key,
        scores.measure,
        scores.n_topics,
        top_documents.n_top_documents,
        top_documents.n_unjudged,
        scores.score as unadjusted_score,
        scores.score as lower_bound,
        least(scores.score + residuals_of.score, 1) as upper_bound
    from scores
    inner join residuals on scores.measure = residuals.measure
    inner join scores as residuals_of on residuals.residual = residuals_of.measure
    inner join top_documents on scores.measure = top_documents.measure

)

select * from bounded
