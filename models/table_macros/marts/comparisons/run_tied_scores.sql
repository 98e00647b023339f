{{ config(arguments=['collection', 'asked']) }}

with

{{ imports('measures') }},

tied_scores as (

    select * from {{ ref('tied_scores') }}(collection, asked)

),

-- one row per run: over all judged topics
run_tied_scores as (

    select
        tied_scores.collection_id,
        tied_scores.run_id,
        tied_scores.measure,
        {{ over_topics('tied_scores.score', 'measures.aggregation', 'true') }} as score_all_topics,
        {{ over_topics('tied_scores.lowest_score', 'measures.aggregation', 'true') }} as lowest_score,
        {{ over_topics('tied_scores.highest_score', 'measures.aggregation', 'true') }} as highest_score,
        cast(sum(tied_scores.n_tied) as bigint) as n_tied
    from tied_scores
    -- an outer join, so that an error about the arguments is raised and not joined away
    left join measures on measures.name = {{ asked_name('asked') }}
    group by
        tied_scores.collection_id,
        tied_scores.run_id,
        tied_scores.measure

)

select * from run_tied_scores
