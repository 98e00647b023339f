with

{{ imports('int_collections', 'int_runs', 'int_measures') }},

-- the scores with all judgements, and with judgement sets that lack some
run_scores as (

    select
        'full' as judgement_set,
        *
    from {{ ref('int_run_scores') }}
    union all by name
    select * from {{ ref('int_left_out_run_scores') }}

),

named as (

    select
        collections.collection_id,
        runs.run_id,
        run_scores.judgement_set,
        run_scores.unjudged,
        run_scores.measure,
        measures.trec_eval_name,
        run_scores.score,
        run_scores.score_all_topics,
        run_scores.n_topics
    from run_scores
    inner join collections using (collection_key)
    inner join runs using (run_key)

    inner join measures using (measure)

)

select * from named
