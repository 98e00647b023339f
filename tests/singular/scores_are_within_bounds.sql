-- Scores outside of what their measure can be.
with

topic_scores as (

    select * from {{ ref('fct_topic_scores') }}

),

measures as (

    select * from {{ ref('measures') }}

)

select topic_scores.*
from topic_scores
left join measures on topic_scores.measure = measures.measure
where
    (
        topic_scores.score between measures.lower_bound and measures.upper_bound + 1e-9
    ) is distinct from true
