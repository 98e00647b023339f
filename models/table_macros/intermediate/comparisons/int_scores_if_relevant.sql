{{ config(materialized='own_macro', arguments=['collection', 'asked', 'run_ids', 'new_rankings']) }}
-- The scores that runs would have if their unjudged documents were relevant. These documents differ from run to run,
-- so each run has qrels of its own.

with

{{ imports('int_collections', 'int_topics') }},

{{ asked_collection(['collection', 'asked']) }},

{{ if_relevant(asked_depth('asked')) }},

{{ asked_scores(by=['qrels_key']) }},

-- one row per run and judged topic that it answers
named as (

    select
        run_topics.run_id,
        topics.topic_id,
        scores.score
    from scores
    inner join run_topics using (run_key, topic_key)
    inner join topics using (collection_key, topic_key)

)

select * from named
