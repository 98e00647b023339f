{{ config(arguments=['collection', 'chosen']) }}
{%- set measures = ['AP', 'P@10', 'RBP(p=0.8)@100', 'RBPResidual(p=0.8)@100'] %}
-- The scores of every run of the collection by the judged documents of a pool of chosen documents alone.

with

{{ imports('int_runs', 'int_run_topics') }},

{{ judged_choice() }},

judgements as (

    select * from int_judgements

),

-- one row per judged topic of the collection: its number of judgements in the pool
sets as (

    select
        judged_topics.collection_key,
        judged_topics.topic_key,
        count(judgements.doc_key) as n_judged
    from asked_collection
    inner join {{ ref('int_judged_topics') }} as judged_topics using (collection_key)
    left join judgements using (topic_key)
    group by all

),

-- one row per run and judged topic
lists as (

    select
        runs.collection_key,
        runs.run_key,
        sets.topic_key
    from runs
    inner join sets using (collection_key)

),

-- the documents of the pool in the rankings, except those that no measure reads
judged_rankings as (

    select rankings.*
    from asked_collection
    inner join {{ ref('int_judged_rankings') }} as rankings using (collection_key)
    semi join judgements using (topic_key, doc_key)
    where
        rankings.is_relevant
        or rankings.rank <= 100

),

{{ scores_by_measures(measures) }},

unpivoted as (

    {{ unpivot_measures('scores', measures) }}

),

-- one row per run and measure: means over the judged topics, answered or not
run_scores as (

    select
        runs.run_id,
        unpivoted.measure,
        avg(unpivoted.score) as score
    from unpivoted
    inner join runs using (run_key)
    group by
        runs.run_id,
        unpivoted.measure

)

select * from run_scores
