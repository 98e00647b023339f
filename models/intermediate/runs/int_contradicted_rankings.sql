{{ config(materialized='table') }}

with

{{ imports('int_run_topics', 'int_rankings') }},

-- rankings whose ranks in the file differ much from the ranks by score: ties alone may be the reason
suspected as (

    select
        run_key,
        topic_key
    from run_topics
    where {{ ranks_contradict_scores('correlation_of_given_ranks') }}

),

-- their documents, and the number of the score, from the highest
scored as (

    select
        rankings.collection_key,
        rankings.run_key,
        rankings.topic_key,
        rankings.given_rank,
        count(*) filter (where not rankings.is_tied_above) over (
            partition by rankings.run_key, rankings.topic_key
            order by rankings.rank
        ) as nth_score
    from rankings
    semi join suspected using (run_key, topic_key)

),

-- the same rows with a rank by score, where the ranks in the file decide between tied documents
settled as (

    select
        *,
        row_number() over (
            partition by run_key, topic_key
            order by nth_score, given_rank
        ) as rank
    from scored

),

-- one row per ranking that ties do not explain
contradicted as (

    select
        collection_key,
        run_key,
        topic_key
    from settled
    group by all
    having {{ ranks_contradict_scores('corr(rank, given_rank)') }}

)

select * from contradicted
