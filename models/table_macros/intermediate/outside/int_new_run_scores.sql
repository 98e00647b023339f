{{ config(materialized='own_macro', arguments=['new_rankings']) }}
-- The scores of a new run on each judged topic by all measures of the marts, and its documents that the qrels judge.

with

{{ ranked_new_run() }},

{{ steps(['int_topic_scores'], given_of_asked_runs(), stored=['int_judged_topics']) }}

select * from int_topic_scores
where unjudged = 'nonrelevant'
