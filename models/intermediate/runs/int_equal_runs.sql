{{ config(materialized='table', meta={'rule': 'by_collection'}) }}

with

{{ imports('int_runs', 'int_run_topics', 'int_rankings') }},

-- one row per run that answers a judged topic, with figures that two runs with the same rankings share
figures as (

    select
        collection_key,
        run_key,
        list(topic_key order by topic_key) as topic_keys,
        list(n_retrieved order by topic_key) as lengths,
        list(n_retrieved_in_qrels order by topic_key) as n_in_qrels,
        list(n_leading_in_qrels order by topic_key) as n_leading_in_qrels
    from run_topics
    group by all

),

-- the runs that share them with another run: there are few
suspected as (

    select unnest(list(run_key)) as run_key
    from figures
    group by
        collection_key,
        topic_keys,
        lengths,
        n_in_qrels,
        n_leading_in_qrels
    having count(*) > 1

),

-- their rankings of judged topics
hashed as (

    select
        rankings.collection_key,
        rankings.run_key,
        rankings.topic_key,
        -- of one number: hashes of two columns, combined, would not tell which document has which rank
        bit_xor(hash(rankings.rank * cast(4294967296 as bigint) + rankings.doc_key)) as ranking_hash
    from rankings
    semi join suspected using (run_key)
    semi join run_topics using (run_key, topic_key)
    group by all

),

-- one row per suspected run
rankings_of_runs as (

    select
        runs.collection_key,
        runs.run_key,
        runs.run_id,
        list(hashed.topic_key order by hashed.topic_key) as topic_keys,
        list(hashed.ranking_hash order by hashed.topic_key) as ranking_hashes
    from hashed
    inner join runs using (run_key)
    group by all

),

-- one row per list of rankings that several runs have, with the first two of these runs by name
alike as (

    select
        collection_key,
        topic_keys,
        ranking_hashes,
        min(run_id) as first_run_id,
        min(run_id, 2)[2] as second_run_id
    from rankings_of_runs
    group by all
    having count(*) > 1

),

equal_runs as (

    select
        rankings_of_runs.collection_key,
        rankings_of_runs.run_key,
        case
            when rankings_of_runs.run_id = alike.first_run_id then alike.second_run_id
            else alike.first_run_id
        end as same_as_run_id
    from rankings_of_runs
    inner join alike using (collection_key, topic_keys, ranking_hashes)

)

select * from equal_runs
