{{ config(materialized='own_macro', arguments=['score_table', 'pair_table']) }}
-- Pairs of runs from one table, with the scores from another table: run_comparisons for runs that need not be
-- loaded.

with

scores as (

    select * from query_table(score_table)

),

pairs as (

    select * from query_table(pair_table)

),

-- one row per measure, pair and judged topic
paired_scores as (

    select
        one.measure,
        pairs.run_id,
        pairs.other_run_id,
        one.topic_id,
        one.score,
        other.score as other_score
    from pairs
    inner join scores as one using (run_id)
    inner join scores as other
        on
            pairs.other_run_id = other.run_id
            and one.measure = other.measure
            and one.topic_id = other.topic_id

),

{{ comparisons() }},

-- one row per measure and pair: its topics from the largest gain to the largest loss
topic_lists as (

    select
        measure,
        run_id,
        other_run_id,
        list(topic_id order by difference desc, topic_id asc) as topic_ids,
        list(difference order by difference desc, topic_id asc) as topic_differences
    from differences
    group by all

),

-- one row per measure and run: the figures that accompany its mean, summed up over topics
of_runs as (

    select
        measure,
        run_id,
        avg(lowest_score) as lowest_score,
        avg(highest_score) as highest_score,
        -- without a filter they would skip the nulls of a measure, or of a collection, that has no bounds
        avg(least(score, score_if_relevant)) filter (where has_bounds and n_unjudged is not null) as lower_bound,
        avg(greatest(score, score_if_relevant)) filter (where has_bounds and n_unjudged is not null) as upper_bound,
        cast(sum(n_tied) as integer) as n_tied_documents,
        cast(sum(n_unjudged) as integer) as n_unjudged,
        cast(sum(n_top_documents) as integer) as n_top_documents,
        sum(n_unjudged) / nullif(sum(n_top_documents), 0) as unjudged_share
    from scores
    group by all

),

-- the comparisons, with the figures that accompany either mean
beside as (

    select
        pairs.position,
        comparisons.*,
        topic_lists.topic_ids,
        topic_lists.topic_differences,
        one.n_unjudged,
        other.n_unjudged as other_n_unjudged,
        one.n_top_documents,
        other.n_top_documents as other_n_top_documents,
        one.unjudged_share,
        other.unjudged_share as other_unjudged_share,
        one.lower_bound,
        one.upper_bound,
        other.lower_bound as other_lower_bound,
        other.upper_bound as other_upper_bound,
        {{ survives('mean_difference', 'lower_bound', 'upper_bound') }} as survives_bounds,
        one.n_tied_documents,
        other.n_tied_documents as other_n_tied_documents,
        one.lowest_score,
        one.highest_score,
        other.lowest_score as other_lowest_score,
        other.highest_score as other_highest_score,
        {{ survives('mean_difference', 'lowest_score', 'highest_score') }} as survives_ties
    from comparisons
    inner join pairs using (run_id, other_run_id)
    inner join topic_lists using (measure, run_id, other_run_id)
    inner join of_runs as one using (measure, run_id)
    inner join of_runs as other
        on
            comparisons.measure = other.measure
            and comparisons.other_run_id = other.run_id

)

select * from beside
