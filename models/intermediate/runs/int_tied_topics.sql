{{ config(materialized='table') }}

with

{{ imports(
    'int_ties', 'int_judged_topics', topics_of_runs='int_run_topics',
    relevant_documents='int_judged_rankings where is_relevant'
) }},

-- one row per run and topic: the documents of its largest group of tied ones
largest_groups as (

    select
        run_key,
        topic_key,
        max(last_rank - first_rank + 1) as n_largest
    from ties
    group by all

),

-- relevant documents with their number, from the first of the ranking
numbered as (

    select
        run_key,
        topic_key,
        rank,
        row_number() over (partition by run_key, topic_key order by rank) as nth
    from relevant_documents

),

-- the same rows with the nearest group that begins at their rank or above it
beside_groups as (

    select
        numbered.*,
        ties.first_rank,
        ties.last_rank
    from numbered
    asof inner join ties
        on
            numbered.run_key = ties.run_key
            and numbered.topic_key = ties.topic_key
            and numbered.rank >= ties.first_rank

),

-- the tied ones, with the first and the last rank that they can have and keep their number
placed as (

    select
        *,
        nth - min(nth) over of_group + first_rank as best_rank,
        nth - max(nth) over of_group + last_rank as worst_rank
    from beside_groups
    where rank <= last_rank
    window of_group as (partition by run_key, topic_key, first_rank)

),

-- one row per run and topic with a tied relevant document: what sums of precisions can gain and lose
moved as (

    select
        run_key,
        topic_key,
        sum(nth / best_rank - nth / rank) as gain,
        sum(nth / rank - nth / worst_rank) as loss
    from placed
    group by all

),

-- one row per run and judged topic with tied documents
tied as (

    select
        topics_of_runs.collection_key,
        topics_of_runs.run_key,
        topics_of_runs.topic_key,
        cast(largest_groups.n_largest as integer) as n_largest,
        {{ has_one_score('largest_groups.n_largest', 'topics_of_runs.n_retrieved') }} as is_constant,
        cast(coalesce(moved.gain / judged_topics.n_relevant, 0) as double) as ap_gain,
        cast(coalesce(moved.loss / judged_topics.n_relevant, 0) as double) as ap_loss
    from topics_of_runs
    inner join largest_groups using (run_key, topic_key)
    inner join judged_topics using (collection_key, topic_key)
    left join moved using (run_key, topic_key)

)

select * from tied
