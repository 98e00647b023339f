-- question: Is another run best on another kind of topics?
-- about: topics
--
-- The best run for each value of each attribute of topics that is loaded
-- (`poolhouse load --topic-attributes`). One more attribute needs no file:
-- whether a topic has more relevant documents than the median. The fewer topics
-- a value has, the less its winner means.
--
-- parameter: collection
with

topic_leaderboard as (

    select * from topic_leaderboard
    where collection_id = $collection

),

attributes as (

    select * from dim_topic_attributes
    where collection_id = $collection

),

topics as (

    select * from dim_topics
    where
        collection_id = $collection
        and is_judged

),

-- one row per topic and attribute
kinds as (

    select
        topic_id,
        attribute,
        value
    from attributes
    union all
    select
        topic_id,
        'relevant documents' as attribute,
        case
            when n_relevant > median(n_relevant) over () then 'many'
            else 'few'
        end as value
    from topics

),

-- one row per attribute, value and run
run_scores as (

    select
        kinds.attribute,
        kinds.value,
        topic_leaderboard.run_id,
        count(*) as n_topics,
        avg(topic_leaderboard.ap) as ap
    from topic_leaderboard
    inner join kinds on topic_leaderboard.topic_id = kinds.topic_id
    group by
        kinds.attribute,
        kinds.value,
        topic_leaderboard.run_id

),

-- one row per attribute and value
winners as (

    select
        attribute,
        value,
        max(n_topics) as n_topics,
        min_by(run_id, (-ap, run_id)) as best_run,
        max(ap) as best_ap,
        median(ap) as median_ap
    from run_scores
    group by
        attribute,
        value

)

select * from winners
order by
    attribute,
    value

-- sample: --collection odd-one-out
-- ┏━━━━━━━━━━━━━━━━━━━━┳━━━━━━━┳━━━━━━━━━━┳━━━━━━━━━━┳━━━━━━━━━┳━━━━━━━━━━━┓
-- ┃ attribute          ┃ value ┃ n_topics ┃ best_run ┃ best_ap ┃ median_ap ┃
-- ┡━━━━━━━━━━━━━━━━━━━━╇━━━━━━━╇━━━━━━━━━━╇━━━━━━━━━━╇━━━━━━━━━╇━━━━━━━━━━━┩
-- │ relevant documents │ few   │       15 │ owl1     │  0.2302 │    0.1478 │
-- │ relevant documents │ many  │       15 │ owl3     │  0.4666 │    0.3456 │
-- └────────────────────┴───────┴──────────┴──────────┴─────────┴───────────┘
