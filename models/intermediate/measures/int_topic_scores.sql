with

{{ imports('int_measured_rankings', 'int_judgement_sets') }},

-- one row per run, judged topic, judgement set and treatment. Judgement sets that lose the same documents in the
-- topic use the same measured row.
labelled as (

    select
        judgement_sets.judgement_set,
        measured_rankings.* exclude (
            left_out_run_key, left_out_organization_key, left_out_relevant_organization_key
        )
    from measured_rankings
    inner join judgement_sets
        on
            measured_rankings.run_key = judgement_sets.run_key
            and measured_rankings.topic_key = judgement_sets.topic_key
            and {{ is_same_left_out('measured_rankings', 'judgement_sets') }}

),

-- one row per cell and measure
scores as (

    {{ unpivot_measures('labelled', var('measures')) }}

)

select * from scores
