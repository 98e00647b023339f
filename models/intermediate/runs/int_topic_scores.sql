with

{{ imports('int_scores') }},

-- one row per run, judged topic, treatment and measure
topic_scores as (

    {{ unpivot_measures('scores', var('measures')) }}

)

select * from topic_scores
