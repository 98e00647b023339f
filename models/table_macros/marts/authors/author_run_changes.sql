{{ config(arguments=['collection', 'asked', 'author := null']) }}

with

{{ imports('measures') }},

-- the runs of the collection
runs as (

    select all_runs.*
    from {{ ref('int_runs') }} as all_runs
    inner join {{ ref('int_collections') }} as collections using (collection_key)
    where collections.collection_id = collection

),

-- the authors of the collection, with the family of the language model
authors as (

    select
        all_authors.author as name,
        {{ model_family('all_authors.model') }} as family
    from {{ ref('int_authors') }} as all_authors
    inner join {{ ref('int_collections') }} as collections using (collection_key)
    where collections.collection_id = collection

),

{{ topic_scores_beside_reference() }},

-- one row per author and run, over all topics that the author judged
run_scores as (

    select
        topic_scores.is_truth,
        topic_scores.name,
        topic_scores.run_id,
        {{ over_topics('topic_scores.score', 'measures.aggregation', 'true') }} as score
    from topic_scores
    inner join measures on measures.name = {{ asked_name('asked') }}
    group by all

),

-- the same rows with the place
placed as (

    select
        *,
        cast(rank() over (partition by is_truth, name order by {{ comparable('score') }} desc) as integer) as rank,
        {{ mean_place('score', 'is_truth, name') }} as place
    from run_scores

),

named as (

    select
        collection as collection_id,
        placed.name as author,
        asked as measure,
        placed.run_id,
        runs.organization,
        runs.run_type,
        placed.score,
        truth.score as reference_score,
        placed.rank,
        truth.rank as reference_rank,
        truth.place - placed.place as places_won,
        {{ says_it_uses('runs', 'authors.family') }} as says_it_uses_model
    from placed
    inner join placed as truth
        on
            placed.run_id = truth.run_id
            and truth.is_truth
    inner join runs on placed.run_id = runs.run_id
    left join authors on placed.name = authors.name
    where not placed.is_truth

)

select * from named
