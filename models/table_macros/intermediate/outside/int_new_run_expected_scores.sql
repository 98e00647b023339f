{{ config(materialized='own_macro', meta={'is_checked': true}, arguments=[
    'collection', 'asked', 'new_rankings', 'new_relevance', 'new_scores', 'unjudged_grades', 'is_required := true'
]) }}
-- The expected scores of a new run by any measure that has them, from its documents, their relevance
-- (int_new_run_relevance) and its scores (int_new_run_scores). The last argument belongs to its steps, and is never passed.

with

{{ ranked_new_run() }},

int_pooled_states as (

    select
        run_key,
        false as is_pooled
    from int_runs

),

int_expected_relevance as (

    select * from query_table(new_relevance)

),

-- the same for all measures
int_unjudged_grades as (

    select * from query_table(unjudged_grades)

),

-- its scores, which lose nothing with an organization
int_asked_topic_scores as (

    select
        new_scores.run_key,
        int_runs.run_id,
        topics.topic_id,
        new_scores.score
    from query_table(new_scores) as new_scores
    inner join int_runs using (collection_key, run_key)
    inner join {{ ref('int_topics') }} as topics using (collection_key, topic_key)
    where new_scores.measure = asked

),

{{ steps(['int_asked_expected_scores'], given_of_expected_scores(), stored_of_expected_scores()) }},

-- one row: the number of documents down to the cutoff, and of those that nobody judged
top_documents as (

    select
        any_value(new_documents.collection_key) as collection_key,
        cast(count(*) as integer) as n_top_documents,
        cast(count(*) - count(int_judged_rankings.is_relevant) as integer) as n_unjudged
    from new_documents
    left join int_judged_rankings using (topic_key, rank)
    where new_documents.rank <= {{ asked_cutoff('asked') }}

),

-- one row: the expected score, with these numbers
expected as (

    select
        int_asked_expected_scores.*,
        top_documents.*
    from int_asked_expected_scores
    cross join top_documents

)

select * from expected
