{{ config(materialized='table_macro', arguments=['collection', 'run_table', 'common_table']) }}

with

rankings as (

    select * from {{ ref('int_new_run_rankings') }}(collection, run_table)

),

common_judgements as (

    select * from {{ ref('int_new_run_common_judgements') }}(collection, common_table)

),

common_topics as (

    select distinct topic_id
    from common_judgements

),

-- the rankings, with whether their topic is a common one, and their documents are relevant by the
-- judgements of both; those of the collection go first
judged as (

    select
        rankings.topic_key,
        rankings.rank,
        rankings.is_relevant,
        common_topics.topic_id is not null as is_common,
        coalesce(rankings.is_relevant, common_judgements.is_relevant) as is_relevant_by_both
    from rankings
    left join common_topics on rankings.topic_id = common_topics.topic_id
    left join common_judgements
        on
            rankings.topic_id = common_judgements.topic_id
            and rankings.doc_id = common_judgements.doc_id

)

select * from judged
